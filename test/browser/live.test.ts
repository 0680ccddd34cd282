/** A run as it goes: what is lit, what is counted, and how it ends. */
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import type { TraceEvent } from '../../src/core/trace.ts';
import { movesOfWays } from '../../src/observe/chart/chart.ts';
import { movesOf, pathOf } from '../../src/observe/chart/path.ts';
import { englishWords } from '../../src/page/texts/english-words.ts';
import { act, answer, returns } from '../shell/setup.ts';
import { chart, whole } from './places.ts';
import { gate, gatedModel, liveAgent } from './runs.ts';
import { inBrowser, soon, texts } from './world.ts';

/** The states as the trace has them, one after the other, without those that follow themselves. */
function statesOf(events: readonly TraceEvent[]): string[] {
  const states = events.flatMap((event, index) => pathOf(events[index - 1]?.state ?? null, event));
  return states.filter((state, index) => state !== states[index - 1]);
}

const replies = [act('look', { at: 1 }), 'no form at all', act('missing'), act('look', { at: 2 }), answer('42')];

inBrowser('a live run in the page', (world) => {
  it('lights OBSERVATION, THOUGHT and ACTION in turn as the trace has them, and ends in FINAL', async () => {
    const inspector = await world.inspector();
    const page = await world.open(inspector.url);
    await page.getByText('No runs yet.').waitFor();
    const held = gate();
    const { agent, events } = liveAgent({ model: gatedModel(replies, held), tools: { look: returns('seen') } });
    const started = agent.start('Look twice.');
    inspector.watch(started);
    // Both go on meanwhile: what is lit is compared with the trace as it is then.
    const isAsTraced = async () => isDeepStrictEqual(await texts(page, 'watched.lit'), statesOf(events));
    for (const _ of replies) {
      await soon(isAsTraced).toBe(true);
      held.open();
    }
    expect((await started.outcome).stopReason).toBe('final');
    await soon(() => texts(page, 'watched.lit')).toEqual(statesOf(events));
    expect(statesOf(events).slice(0, 6)).toEqual([
      ...['OBSERVATION', 'THOUGHT.reasoning', 'THOUGHT.calling', 'ACTION.gating', 'ACTION.running', 'OBSERVATION'],
    ]);
    expect(statesOf(events).at(-1)).toBe('FINAL');
    await whole(page, events);
    await soon(() => page.locator('[data-state][data-lit="now"]').evaluateAll(statesLit)).toEqual(['FINAL']);
  });

  it('counts each way as often as the trace went it', async () => {
    const inspector = await world.inspector();
    const { agent, events } = liveAgent({
      model: gatedModel(replies, opened()),
      tools: { look: returns('seen') },
      onEvent: inspector.onEvent,
    });
    const page = await world.open(inspector.url);
    await agent.run('Look twice.');
    await whole(page, events);
    const moves = events.flatMap((event, index) => movesOf(pathOf(events[index - 1]?.state ?? null, event)));
    for (const [id, ways] of Object.entries(movesOfWays)) {
      const ofWay: readonly string[] = ways;
      const count = moves.filter((move) => ofWay.includes(move)).length;
      expect(await page.locator(`[data-way="${id}"]`).getAttribute('data-count'), id).toBe(String(count));
    }
    expect(moves.length).toBeGreaterThan(10);
    // And as a table, for who does not see the picture.
    const rows = await chart(page).locator('tbody tr').allTextContents();
    expect(rows.length).toBe(new Set(moves).size);
  });

  it('shows a reply as it arrives', async () => {
    const inspector = await world.inspector();
    const held = gate();
    const pieces = ['Thought: The first ', 'part, then ', 'the rest.\nFinal Answer: done'];
    const { agent, events } = liveAgent({
      model: {
        provider: 'scripted',
        name: 'in pieces',
        async *generate() {
          for (const text of pieces) {
            yield { type: 'text', text };
            await held.pass();
          }
          yield { type: 'end', finish: 'stop', usage: null };
        },
      },
    });
    const page = await world.open(inspector.url);
    const started = agent.start('Write.');
    inspector.watch(started);
    const arriving = page.locator('[data-part="replying"] .text');
    for (const end of ['The first ', 'part, then ', 'done']) {
      await soon(() => arriving.textContent()).toMatch(new RegExp(`${end}$`));
      held.open();
    }
    await started.outcome;
    await whole(page, events);
    expect(await arriving.count()).toBe(0);
  });

  const fuses = [
    { reason: 'violations_exhausted', replies: ['one', 'two', 'three'], budget: { maxViolations: 2 } },
    { reason: 'max_steps', replies: [act('look', { a: 1 }), act('look', { a: 2 })], budget: { maxSteps: 1 } },
    {
      reason: 'tool_errors_exhausted',
      replies: [act('wrong', { a: 1 }), act('wrong', { a: 2 })],
      budget: { maxToolErrors: 2 },
    },
    { reason: 'loop_detected', replies: Array.from({ length: 12 }, () => act('look', { a: 1 })), budget: {} },
  ] as const;
  it.each(fuses)(
    'ends in ERROR, with the reason in words, where it was ended by $reason',
    async ({ reason, ...made }) => {
      const inspector = await world.inspector();
      const page = await world.open(inspector.url);
      const wrong = { ...returns(''), execute: () => Promise.reject(new Error('no')) };
      const { agent, events } = liveAgent({
        model: gatedModel(made.replies, opened()),
        tools: { look: returns('seen'), wrong },
        budget: made.budget,
        onEvent: inspector.onEvent,
      });
      expect((await agent.run('Go on.')).stopReason).toBe(reason);
      await whole(page, events);
      await soon(() => chart(page).getAttribute('data-lit')).toBe('ERROR');
      const told = await chart(page).locator('[data-part="reason"]').textContent();
      expect(told).toContain(reason);
      expect(told).toContain(englishWords.words.stopReasons[reason]);
    },
  );
});

function opened() {
  const open = gate();
  open.openAll();
  return open;
}

const statesLit = (found: readonly { getAttribute(name: string): string | null }[]) =>
  found.map((one) => one.getAttribute('data-state'));
