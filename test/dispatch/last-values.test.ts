/** A tool may give its result piece by piece: the last value counts, and time, number and abort hold all the same. */
import { tool as aiTool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AnyTool, ToolCallOptions } from '../../src/core/tool.ts';
import { tool } from '../../src/tool.ts';
import { act, answer, anyInput, setup } from '../shell/setup.ts';
import { does, told } from './told.ts';

/** An iterator made by hand, which knows whether it was told to stop. */
function iterable(next: (index: number) => unknown, marks: { left?: () => unknown } = {}): AsyncIterable<unknown> {
  let index = 0;
  const iterator: unknown = { next: () => next(index++), return: marks.left };
  return Object.assign(Object.create(null), { [Symbol.asyncIterator]: () => iterator });
}

const more = (value: unknown) => ({ done: false, value });
const end = (value?: unknown) => ({ done: true, value });

describe('the last value counts', () => {
  it.each<[string, () => unknown, string]>([
    [
      'of an asynchronous generator',
      async function* () {
        yield 'progress 10 %';
        yield 'progress 90 %';
        yield { rows: 3 };
      },
      '{"rows":3}',
    ],
    [
      'what it returns, where it returns something',
      async function* () {
        yield 'progress';
        return 'the result';
      },
      'the result',
    ],
    ['of a generator that a promise gives', async () => iterable((index) => (index === 2 ? end() : more(index))), '1'],
    [
      'of an iterator that answers without a promise',
      () => iterable((index) => (index === 9_999 ? end() : more(index))),
      '9998',
    ],
    ['nothing, where it gives nothing', () => iterable(() => end()), '(The tool succeeded and returned nothing.)'],
    [
      'undefined, where that is the last',
      () => iterable((index) => (index === 1 ? end() : more(undefined))),
      'returned nothing',
    ],
    [
      'of a web stream of JSON that the tool made itself: it is a stream',
      () => new ReadableStream(),
      'its content was not read',
    ],
  ])('%s', async (_what, execute, observation) => {
    const { settled, sent } = await told(does(execute));
    expect(settled).toMatchObject({ result: 'succeeded', observation: expect.stringContaining(observation) });
    expect(sent).not.toContain('progress');
  });

  it.each<[string, () => unknown, string]>([
    [
      'that throws on its way',
      async function* () {
        yield 'half';
        throw new Error('the disk is full');
      },
      '[ToolError] look failed: the disk is full. ',
    ],
    ['whose next throws', () => iterable(() => JSON.parse('{')), '[ToolError] look failed: '],
    ['that gives no result objects', () => iterable(() => Promise.resolve(7)), 'gave no result object'],
    ['that cannot be opened', () => ({ [Symbol.asyncIterator]: () => JSON.parse('{') }), '[ToolError] look failed: '],
    [
      'whose result object resists',
      () =>
        iterable(() => ({
          get done() {
            throw new Error('a getter threw');
          },
        })),
      '[ToolError] look failed: a getter threw.',
    ],
  ])('a generator %s failed', async (_what, execute, observation) => {
    const { settled, sent } = await told(does(execute));
    expect(settled).toMatchObject({ result: 'failed', observation: expect.stringContaining(observation) });
    expect(sent).not.toContain('half');
  });
});

describe('what does not end', () => {
  const never = () => new Promise(() => {});
  it.each<[string, (left: () => void) => unknown, Partial<AnyTool>, string, string]>([
    ['waits for ever', (left) => iterable(never, { left }), { readOnly: true }, 'failed', 'no result within 2 s'],
    ['waits for ever, and may have had an effect', (left) => iterable(never, { left }), {}, 'unknown', 'nobody knows'],
    [
      'is given late by a promise, and then waits',
      async (left) => iterable(never, { left }),
      { idempotent: true },
      'failed',
      'no result within 2 s',
    ],
    [
      'yields without end',
      (left) => iterable((index) => Promise.resolve(more(index)), { left }),
      { readOnly: true },
      'failed',
      'more than 10000 values',
    ],
    [
      'yields without end and without promises, and may have had an effect',
      (left) => iterable(more, { left }),
      {},
      'unknown',
      'it will not be run again with this input',
    ],
    [
      'does not even stop when it is told to',
      (left) =>
        iterable(never, {
          left: () => {
            left();
            return new Promise(() => {});
          },
        }),
      { readOnly: true },
      'failed',
      'no result within 2 s',
    ],
    [
      'throws when it is told to stop',
      (left) =>
        iterable(never, {
          left: () => {
            left();
            throw new Error('no');
          },
        }),
      { readOnly: true },
      'failed',
      'no result within 2 s',
    ],
  ])('a generator that %s', async (_what, execute, marks, result, observation) => {
    let left = 0;
    const { settled, elapsedMs } = await told(does(() => execute(() => void left++), { timeoutMs: 2_000, ...marks }));
    expect(settled).toMatchObject({ result, observation: expect.stringContaining(observation) });
    expect(left).toBe(1);
    expect(elapsedMs).toBeLessThanOrEqual(2_000);
  });

  it('the time is that of the whole call: a promise, and the values behind it', async () => {
    const { clock, agent } = setup({
      replies: [act('slow'), answer('ok')],
      tools: {
        slow: does(
          () =>
            new Promise((resolve) => {
              clock.setTimer(1_500, () => resolve(iterable(() => new Promise(() => {}))));
            }),
          { timeoutMs: 2_000, readOnly: true },
        ),
      },
    });
    expect(await clock.until(agent.run('the task'))).toMatchObject({ steps: [{ calls: [{ status: 'failed' }] }, {}] });
    expect(clock.monotonicMs()).toBe(2_000);
    expect(clock.armed).toBe(0);
  });

  it('an abort of the run stops it', async () => {
    let left = 0;
    const { clock, start } = setup({
      replies: [act('slow')],
      tools: { slow: does(() => iterable(() => new Promise(() => {}), { left: () => void left++ })) },
    });
    const run = start();
    await clock.calm();
    run.abort();
    expect(await run.outcome).toMatchObject({ stopReason: 'aborted' });
    expect([left, clock.armed]).toEqual([1, 0]);
  });

  it('one that comes after the time is told that nobody reads it', async () => {
    let left = 0;
    let give = (_value: unknown) => {};
    const later = new Promise<unknown>((resolve) => {
      give = resolve;
    });
    const slow = does(() => later, { timeoutMs: 10, readOnly: true });
    const { clock, start, events } = setup({
      replies: [act('slow'), { text: answer('ok'), delayMs: 100 }],
      tools: { slow },
    });
    const run = start();
    await clock.pass(50);
    give(iterable(() => new Promise(() => {}), { left: () => void left++ }));
    await clock.until(run.outcome);
    expect(left).toBe(1);
    expect(events.filter(({ type, ignored }) => type === 'call.settled' && ignored === true)).toHaveLength(1);
  });
});

describe('the AI SDK and tool()', () => {
  it('an AI SDK tool with a generator works unchanged', async () => {
    const look = aiTool({
      description: 'The weather.',
      inputSchema: z.object({}),
      async *execute() {
        yield { status: 'loading' };
        yield { status: 'done', temperature: 21 };
      },
    });
    expect((await told(look)).settled.output).toEqual({ status: 'done', temperature: 21 });
  });

  it('tool() knows its types', async () => {
    const look = tool({
      inputSchema: z.object({ city: z.string().default('Rome') }),
      outputSchema: z.object({ city: z.string(), stage: z.enum(['begun', 'done']) }),
      async *execute({ city }, _options: ToolCallOptions) {
        yield { city, stage: 'begun' };
        yield { city: city.toUpperCase(), stage: 'done' };
      },
      empty: ({ city }) => city === '',
    });
    expect((await told(look)).observation).toBe('{"city":"ROME","stage":"done"}');
    const wrong = () =>
      tool({
        inputSchema: anyInput,
        outputSchema: z.object({ n: z.number() }),
        // @ts-expect-error the schema of its results says that it gives a number
        async *execute() {
          yield { n: 'one' };
        },
      });
    expect(wrong).not.toThrow();
  });
});
