/** Pages that are none of ours, in the same browser: they see nothing of a run and decide nothing, even with the address. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scriptedModel } from '../../src/models/scripted.ts';
import type { Inspector } from '../../src/observe/inspect/inspector.ts';
import { act, answer, returns } from '../shell/setup.ts';
import { foreignHost } from './chromium.ts';
import { run, view } from './places.ts';
import { liveAgent } from './runs.ts';
import { inBrowser, soon, type World } from './world.ts';

/** A run that waits, and the page of it. */
async function waiting(world: World) {
  const inspector = await world.inspector();
  const { agent } = liveAgent({
    model: scriptedModel([act('save'), answer('done')]),
    tools: { save: returns('saved', { sideEffect: true }) },
    policy: 'ask',
  });
  const started = agent.start('Save it.', { runId: 'r1' });
  inspector.watch(started, { decidable: true });
  const page = await world.open(inspector.url, {
    expects: /403|ERR_FAILED|ERR_BLOCKED|CORS|MIME|refused|Framing|frame|Opener/,
  });
  await view(page, 'deciding').waitFor();
  return { inspector, started, page };
}

/** What a page might try; each gives what it learned, which must be nothing. `$A` is the address of what it wants. */
const attempts: readonly (readonly [what: string, path: string, script: string])[] = [
  ['fetch', '/runs/r1/events', 'fetch($A).then((a) => a.text())'],
  ['fetch without asking', '/runs/r1/events', 'fetch($A, { mode: "no-cors" }).then((a) => a.text())'],
  ['fetch of the page', '/', 'fetch($A).then((a) => a.text())'],
  [
    'EventSource',
    '/runs',
    'new Promise((r) => { const s = new EventSource($A); s.onmessage = s.onopen = () => r("open"); s.onerror = () => r(""); })',
  ],
  [
    'an image',
    '/',
    'new Promise((r) => { const i = new Image(); i.onload = () => r("image"); i.onerror = () => r(""); i.src = $A; })',
  ],
  [
    'a script',
    '/runs',
    'new Promise((r) => { const s = document.createElement("script"); s.onload = () => r("script"); s.onerror = () => r(""); s.src = $A; document.head.append(s); })',
  ],
  [
    'a decision by fetch',
    '/runs/r1/decisions',
    `fetch($A, { method: "POST", mode: "no-cors", body: '{"kind":"approve","callId":"1.1"}' }).then((a) => a.text())`,
  ],
  [
    'a decision as JSON',
    '/runs/r1/decisions',
    `fetch($A, { method: "POST", headers: { "content-type": "application/json" }, body: '{"kind":"approve","callId":"1.1"}' }).then((a) => a.text())`,
  ],
  ['a beacon', '/runs/r1/decisions', `(navigator.sendBeacon($A, '{"kind":"abort"}'), "")`],
];

inBrowser('pages that are none of ours', (world) => {
  let foreign: Server;
  let port = 0;
  beforeAll(async () => {
    foreign = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>foreign</title><body>');
    }).listen(0, '127.0.0.1');
    await once(foreign, 'listening');
    const address = foreign.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  });
  afterAll(() => new Promise((resolve) => foreign.close(resolve)));

  const addressOf = (inspector: Inspector, path: string) => {
    const { origin, search } = new URL(inspector.url);
    return JSON.stringify(`${origin}${path}${search}`);
  };
  /** The run still waits, and goes on when our page says so. */
  async function expectUntouched(page: Page, started: { outcome: Promise<{ stopReason: string }> }): Promise<void> {
    await page.bringToFront();
    await page.locator('[data-decide="approve"]').click();
    expect((await started.outcome).stopReason).toBe('final');
    await run(page, 'ended', 'final').waitFor();
  }

  // Another port of this machine is another origin, and the same site.
  it('learn and decide nothing by requests', async () => {
    const { inspector, started, page } = await waiting(world);
    const other = await world.openBeside(page, `http://127.0.0.1:${port}/`);
    // It can ask at all.
    expect(await other.evaluate('fetch(location.href).then((a) => a.text())')).toContain('foreign');
    for (const [what, path, script] of attempts) {
      const tried = script.replace('$A', addressOf(inspector, path));
      expect(await other.evaluate(`Promise.resolve(${tried}).catch(() => '')`), what).toBe('');
    }
    await expectUntouched(page, started);
  });

  it('decide nothing by a form', async () => {
    const { inspector, started, page } = await waiting(world);
    for (const enctype of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const other = await world.openBeside(page, `http://127.0.0.1:${port}/`);
      const answered = other.waitForResponse((response) => response.request().method() === 'POST');
      await other.evaluate(`(() => {
        const form = document.createElement('form');
        Object.assign(form, { method: 'POST', enctype: '${enctype}', action: ${addressOf(inspector, '/runs/r1/decisions')} });
        const field = document.createElement('input');
        Object.assign(field, { name: '{"kind":"approve","callId":"1.1","x":"', value: '"}' });
        form.append(field);
        document.body.append(form);
        form.submit();
      })()`);
      expect((await answered).status(), enctype).toBe(403);
      await other.close();
    }
    await expectUntouched(page, started);
  });

  it('hold the page in no frame, and have no hand on a window of it', async () => {
    const { inspector, started, page } = await waiting(world);
    const other = await world.openBeside(page, `http://127.0.0.1:${port}/`);
    const framed = other.waitForResponse((answer) => answer.url().startsWith(new URL(inspector.url).origin));
    await other.evaluate(`(() => {
      const frame = document.createElement('iframe');
      frame.src = ${addressOf(inspector, '/')};
      document.body.append(frame);
    })()`);
    expect((await framed).status()).toBe(403);
    const opened = other.context().waitForEvent('page');
    await other.evaluate(`void (window.held = window.open(${addressOf(inspector, '/')}))`);
    const ours = await opened;
    await view(ours, 'deciding').waitFor();
    expect(await ours.evaluate('window.opener === null')).toBe(true);
    await soon(() => other.evaluate('window.held.closed')).toBe(true);
    await expectUntouched(page, started);
  });

  const wrong = [
    { what: 'no token', address: ({ url }: Inspector) => new URL(url).origin },
    { what: 'another token', address: ({ url }: Inspector) => url.replace(/.{4}$/, 'zzzz') },
    {
      what: 'a name that was made to lead here',
      address: ({ url }: Inspector) => url.replace('127.0.0.1', foreignHost),
    },
  ];
  it.each(wrong)('are refused with $what', async ({ address }) => {
    const { inspector, started, page } = await waiting(world);
    const other = await page.context().newPage();
    const answered = await other.goto(address(inspector));
    expect(answered?.status()).toBe(403);
    expect(await other.locator('body').textContent()).toContain('Open the whole address');
    await other.close();
    await expectUntouched(page, started);
  });

  it('of our own say so where the server knows them no more', async () => {
    const before = await world.inspector();
    const page = await world.open(before.url, { expects: /ERR_|403/ });
    await page.locator('[data-connection="open"]').waitFor();
    const taken = Number(new URL(before.url).port);
    await before.close();
    await page.locator('[data-connection="lost"]').waitFor();
    await world.inspector({ port: taken });
    await page.locator('[data-connection="refused"]').waitFor();
  });
});
