/** Reads of one reply run beside one another, as many as may; results stand in the order of the calls. */
import { expect, it } from 'vitest';
import { createAgent } from '../../src/agent.ts';
import type { ToolRecord } from '../../src/core/tool.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { tool } from '../../src/tool.ts';
import { setup } from './setup.ts';

type Clock = ReturnType<typeof setup>['clock'];

/** Notes who begins and ends when, on the clock of the run. `read1` … are given as `ms` how long they take. */
function noting() {
  const log: string[] = [];
  let inFlight = 0;
  let most = 0;
  let clock: Clock | null = null;
  const work = (name: string) =>
    tool({
      inputSchema: { type: 'object', properties: { ms: { type: 'integer' }, is: { type: 'string' } } },
      ...(name === 'read' ? { readOnly: true } : {}),
      execute: async (input: { ms?: number; is?: string }) => {
        most = Math.max(most, ++inFlight);
        log.push(`+${input.is}`);
        await new Promise<void>((resolve) => clock?.setTimer(input.ms ?? 0, resolve));
        inFlight--;
        log.push(`-${input.is}`);
        return input.is;
      },
    });
  const tools: ToolRecord = { read: work('read'), write: work('write') };
  return { log, tools, most: () => most, on: (on: Clock) => (clock = on) };
}

const read = (is: string, ms: number) => ({ tool: 'read', input: { is, ms } });
const write = (is: string, ms: number) => ({ tool: 'write', input: { is, ms } });

it.each([
  // One that is slow holds up nobody: a place is taken as soon as it is free.
  ['two at once', 2, [read('a', 90), read('b', 10), read('c', 10), read('d', 10)], '+a +b -b +c -c +d -d -a', 2],
  ['one at once', 1, [read('a', 20), read('b', 10)], '+a -a +b -b', 1],
  ['as many as there are', 9, [read('a', 30), read('b', 20), read('c', 10)], '+a +b +c -c -b -a', 3],
  ['eight by default', undefined, 'abcdefghij'.split('').map((is) => read(is, 10)), null, 8],
  [
    'anything else alone, and in its place',
    9,
    [read('a', 20), read('b', 10), write('c', 10), write('d', 10), read('e', 20), read('f', 10)],
    '+a +b -b -a +c -c +d -d +e +f -f -e',
    2,
  ],
])('%s', async (_what, maxParallel, calls, expected, most) => {
  const notes = noting();
  const { run, clock } = setup({
    replies: [{ calls }, 'done'],
    tools: notes.tools,
    agent: { dialect: 'native', ...(maxParallel === undefined ? {} : { maxParallel }) },
  });
  notes.on(clock);
  const outcome = await run();
  expect(outcome.stopReason).toBe('final');
  if (expected !== null) expect(notes.log.join(' ')).toBe(expected);
  expect(notes.most()).toBe(most);
  expect(outcome.steps[0]?.calls.map(({ output }) => output)).toEqual(calls.map(({ input }) => input.is));
  expect(outcome.usage.toolCalls).toBe(calls.length);
});

it('an abort in between starts no more', async () => {
  const notes = noting();
  const { start, clock } = setup({
    replies: [{ calls: [read('a', 50), read('b', 10), read('c', 50), read('d', 10)] }],
    tools: notes.tools,
    agent: { dialect: 'native', maxParallel: 2 },
  });
  notes.on(clock);
  const run = start();
  clock.setTimer(20, () => run.abort('enough'));
  const outcome = await clock.until(run.outcome);
  expect(outcome.stopReason).toBe('aborted');
  expect(notes.log.slice(0, 4).join(' ')).toBe('+a +b -b +c');
  expect(outcome.steps[0]?.calls.map(({ status }) => status)).toEqual([
    'cancelled',
    'succeeded',
    'cancelled',
    'cancelled',
  ]);
  await clock.pass(100);
  expect(notes.log.filter((entry) => entry.startsWith('+'))).toEqual(['+a', '+b', '+c']);
});

it.each([0, 1.5, -1, Number.NaN, '2'])('maxParallel: %j is refused', (maxParallel) => {
  const options = { model: scriptedModel([]), maxParallel };
  expect(() => Reflect.apply(createAgent, undefined, [options])).toThrow('maxParallel is ');
});
