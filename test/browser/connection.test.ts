/** The connection breaks and comes back: the page says so, and goes on without an event lost or doubled. */
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { movesOfWays } from '../../src/observe/chart/chart.ts';
import { act, answer, returns } from '../shell/setup.ts';
import { step, view, whole } from './places.ts';
import { gate, gatedModel, liveAgent, viewOf } from './runs.ts';
import { inBrowser, numbers, soon } from './world.ts';

interface Cable {
  readonly url: string;
  /** Nothing goes through any more, and nobody is let in. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** Stands between a page and its inspector. */
async function cable(address: string): Promise<Cable> {
  const { hostname, port, host, origin, search } = new URL(address);
  let isCut = false;
  const server: Server = createServer((asked, answered) => {
    const headers = { ...asked.headers, host, ...(asked.headers.origin !== undefined && { origin }) };
    const passed = request({ hostname, port, path: asked.url, method: asked.method, headers, agent: false });
    passed.on('response', (response) => {
      answered.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(answered);
    });
    passed.on('error', () => answered.destroy());
    answered.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  server.on('connection', (socket) => {
    if (isCut) socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const listening = server.address();
  const own = typeof listening === 'object' && listening !== null ? listening.port : 0;
  return {
    url: `http://127.0.0.1:${own}/${search}`,
    cut() {
      isCut = true;
      server.closeAllConnections();
    },
    mend() {
      isCut = false;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const replies = [...Array.from({ length: 9 }, (_, line) => act('look', { line })), answer('42')];
const connected = (page: Page, how: string) => page.locator(`[data-connection="${how}"]`).waitFor();
const position = (page: Page) => view(page, 'playback').getAttribute('data-position');

inBrowser('a connection that breaks', (world) => {
  const cables: Cable[] = [];
  afterEach(async () => {
    await Promise.all(cables.splice(0).map((one) => one.close()));
  });

  it('is told, and the page goes on where it was when it comes back', async () => {
    const inspector = await world.inspector();
    const wire = await cable(inspector.url);
    cables.push(wire);
    const page = await world.open(wire.url, { expects: /ERR_/ });
    await connected(page, 'open');
    const held = gate();
    const { agent, events } = liveAgent({ model: gatedModel(replies, held), tools: { look: returns('seen') } });
    const started = agent.start('Look.');
    inspector.watch(started);
    for (const [index] of replies.entries()) {
      if (index % 4 === 1) {
        wire.cut();
        await connected(page, 'lost');
      }
      held.open();
      if (index % 4 === 2) {
        wire.mend();
        await connected(page, 'open');
        // The run may go on meanwhile, until its next reply.
        await soon(async () => (await position(page)) === String(events.length)).toBe(true);
      }
    }
    wire.mend();
    await started.outcome;
    await whole(page, events);
    await connected(page, 'open');
    // None twice, none missing: in the list of events, and in what is counted of them.
    const picture = viewOf(events);
    expect(await view(page, 'steps').locator('.step-list > .step').count()).toBe(picture.steps.length);
    for (const [id, ways] of Object.entries(movesOfWays)) {
      const count = ways.reduce((sum, way) => sum + (picture.moves.get(way) ?? 0), 0);
      expect(await page.locator(`[data-way="${id}"]`).getAttribute('data-count'), id).toBe(String(count));
    }
    for (const { number } of picture.steps) {
      await step(page, number).locator('.step-line').click();
      await step(page, number).locator('[data-part="events"] > button').click();
      const shown = step(page, number).locator('.raw-event');
      const wanted = events.filter((event) => 'step' in event && event.step === number).map(({ sequence }) => sequence);
      await soon(async () => (await shown.allTextContents()).map((text) => Number.parseInt(text, 10))).toEqual(wanted);
    }
    const positions = await numbers(page, 'watched.positions');
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  });
});
