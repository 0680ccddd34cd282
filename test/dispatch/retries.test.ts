/** A call that failed is tried again where that is safe: when, how often, and what is left of it in the record. */
import { describe, expect, it } from 'vitest';
import { ToolError } from '../../src/core/errors.ts';
import type { CallRetried } from '../../src/core/journal.ts';
import type { AnyTool, ToolCallOptions } from '../../src/core/tool.ts';
import type { TraceEvent } from '../../src/core/trace.ts';
import { foldTrace } from '../../src/verify/fold.ts';
import { act, answer, anyInput, observationAfter, setup } from '../shell/setup.ts';

const failsWith = (message: string) => () => {
  throw new Error(message);
};
const fails = failsWith('the disk is full');
const never = () => new Promise(() => {});

/** What each try does, in order; the last one over and over. */
type Script = readonly ((options: ToolCallOptions) => unknown)[];

interface Seen {
  readonly tries: { readonly atMs: number; readonly options: ToolCallOptions; readonly input: unknown }[];
}

function scripted(script: Script, nowMs: () => number, marks: Partial<AnyTool>): { tool: AnyTool } & Seen {
  const tries: Seen['tries'] = [];
  const execute = (input: unknown, options: ToolCallOptions) => {
    tries.push({ atMs: nowMs(), options, input });
    return script[Math.min(tries.length, script.length) - 1]?.(options);
  };
  return { tries, tool: { inputSchema: anyInput, readOnly: true, retries: 2, timeoutMs: 1_000, ...marks, execute } };
}

type Options = Parameters<typeof setup>[0]['agent'];

function calling(script: Script, marks: Partial<AnyTool> = {}, agent: Options = {}) {
  let nowMs = () => 0;
  const { tool, tries } = scripted(script, () => nowMs(), marks);
  const made = setup({ replies: [act('look', { q: 1 }), answer('ok')], tools: { look: tool }, agent });
  nowMs = made.clock.monotonicMs;
  return { ...made, tries };
}

const retriesIn = (events: readonly TraceEvent[]) =>
  events.filter((event): event is CallRetried & TraceEvent => event.type === 'call.retried');
const settledIn = (events: readonly TraceEvent[]) => events.filter((event) => event.type === 'call.settled');

describe('a call', () => {
  it.each<[string, Script, Partial<AnyTool>, number, string, string]>([
    ['that throws and then succeeds', [fails, () => 'seen'], {}, 2, 'succeeded', 'seen'],
    ['that rejects and then succeeds', [async () => fails(), () => 'seen'], {}, 2, 'succeeded', 'seen'],
    ['of an idempotent tool', [fails, () => 'seen'], { readOnly: false, idempotent: true }, 2, 'succeeded', 'seen'],
    ['that takes too long and then succeeds', [never, () => 'seen'], {}, 2, 'succeeded', 'seen'],
    ['that throws each time', [fails], {}, 3, 'failed', 'look failed: the disk is full. '],
    ['that takes too long each time', [never], {}, 3, 'failed', 'look timed out: no result within 1 s. '],
    ['that fails in two ways', [never, fails], {}, 3, 'failed', 'look failed: the disk is full. '],
    ['whose generator breaks off', [brokenGenerator, () => 'seen'], {}, 2, 'succeeded', 'seen'],
    ['that throws what is no error', [() => throwIt('no luck'), () => 'seen'], {}, 2, 'succeeded', 'seen'],
    ['that throws what resists', [() => throwIt(hostile), () => 'seen'], {}, 2, 'succeeded', 'seen'],
    ['whose tool says that the input is wrong', [() => throwIt(new ToolError('No 1.'))], {}, 1, 'failed', 'No 1. '],
    ['that says so in the second try', [fails, () => throwIt(new ToolError('No 1.'))], {}, 2, 'failed', 'No 1. '],
    ['that says so by another copy of the class', [() => throwIt(otherToolError)], {}, 1, 'failed', 'No 2. '],
    ['whose result does not fit', [() => 7], { outputSchema: { type: 'string' } }, 1, 'failed', 'cannot be used'],
    ['without an end', [endless], {}, 1, 'failed', 'more than 10000 values'],
    ['without the mark', [fails], { retries: undefined }, 1, 'failed', 'the disk is full'],
    ['with no retries', [fails], { retries: 0 }, 1, 'failed', 'the disk is full'],
    ['of an unmarked tool', [fails], { readOnly: false }, 1, 'failed', 'the disk is full'],
    ['of an unmarked tool that hangs', [never], { readOnly: false }, 1, 'unknown', 'nobody knows'],
    [
      'of a tool with an effect',
      [fails],
      { readOnly: false, sideEffect: true, needsApproval: false },
      1,
      'failed',
      'the disk is full',
    ],
    [
      'of a tool with an effect that hangs',
      [never],
      { readOnly: false, sideEffect: true, needsApproval: false },
      1,
      'unknown',
      'nobody knows',
    ],
  ])('%s', async (_what, script, marks, count, result, observation) => {
    const { run, events, tries, clock } = calling(script, marks);
    expect(await run()).toMatchObject({ ok: true });
    expect(tries).toHaveLength(count);
    expect(settledIn(events)).toEqual([
      expect.objectContaining({ result, startedAtMs: 0, observation: expect.stringContaining(observation) }),
    ]);
    expect(retriesIn(events)).toHaveLength(count - 1);
    expect(foldTrace(events).ended).toBe(true);
    expect(clock.armed).toBe(0);
  });

  it('is told apart by the number of its try, and known by one key', async () => {
    const { run, tries } = calling([fails, never, () => 'seen']);
    const { runId } = await run();
    expect(tries.map(({ options: { attempt, toolCallId } }) => [attempt, toolCallId])).toEqual([
      [1, '1.1'],
      [2, '1.1'],
      [3, '1.1'],
    ]);
    expect(new Set(tries.map(({ options }) => options.idempotencyKey))).toEqual(new Set([`${runId}:1.1`]));
    expect(tries.map(({ input }) => input)).toEqual([{ q: 1 }, { q: 1 }, { q: 1 }]);
  });

  it('has a signal of its own in each try', async () => {
    const signals: AbortSignal[] = [];
    const hangs = ({ abortSignal }: ToolCallOptions) => {
      signals.push(abortSignal);
      return never();
    };
    const { run } = calling([hangs, hangs, (options) => [hangs(options), 'seen'][1]]);
    await run();
    expect(signals.map(({ aborted, reason }) => [aborted, String(reason?.message)])).toEqual([
      [true, 'look took longer than 1000 ms.'],
      [true, 'look took longer than 1000 ms.'],
      [false, 'undefined'],
    ]);
  });

  it.each<[string, 'en' | 'zh', Script, string]>([
    ['in English', 'en', [fails], '(It was tried 3 times.)'],
    ['in Chinese', 'zh', [fails], '（已尝试 3 次。）'],
    ['also where the last try was not accepted', 'en', [fails, () => ''], '(It was tried 2 times.)'],
  ])('that failed says how often it was tried, %s', async (_what, language, script, note) => {
    const { run, model } = calling(script, {}, { language, checkResult: () => 'It is too short' });
    await run();
    expect(observationAfter(model, 1).trimEnd().endsWith(note)).toBe(true);
  });

  it('that failed once says nothing of tries', async () => {
    const { run, model } = calling([fails], { retries: 0 });
    await run();
    expect(observationAfter(model, 1)).not.toContain('tried');
  });
});

describe('the waits', () => {
  it('double up to five seconds, less up to a half, and are the same for the same call', async () => {
    const waits = async (runId: string) => {
      const { run, events } = calling([fails], { retries: 8 });
      await run({ runId });
      return retriesIn(events).map(({ waitMs }) => waitMs);
    };
    const [first, again, other] = [await waits('one'), await waits('one'), await waits('two')];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    for (const [index, fullMs] of [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000].entries()) {
      expect(first[index]).toBeGreaterThanOrEqual(fullMs / 2);
      expect(first[index]).toBeLessThanOrEqual(fullMs);
    }
  });

  it('are what passes between the tries', async () => {
    const { run, events, tries } = calling([fails, never, fails]);
    await run();
    const [one, two] = retriesIn(events).map(({ waitMs }) => waitMs);
    expect(tries.map(({ atMs }) => atMs)).toEqual([0, one, (one ?? 0) + 1_000 + (two ?? 0)]);
  });

  it.each<[string, Script, number, number]>([
    ['where the first would be too long', [fails], 100, 1],
    ['where the second would be too long', [fails], 400, 2],
    ['behind a try that took the time', [never, () => 'seen'], 1_100, 1],
  ])('are not begun %s', async (_what, script, wallClockMs, count) => {
    const { run, events, tries, clock, model } = calling(script, {}, { budget: { wallClockMs } });
    expect((await run({ runId: 'r' })).stopReason).toBe('final');
    expect(tries).toHaveLength(count);
    expect(settledIn(events)).toMatchObject([{ result: 'failed' }]);
    expect(observationAfter(model, 1).includes('tried')).toBe(count > 1);
    expect(clock.armed).toBe(0);
    expect(clock.monotonicMs()).toBeLessThan(wallClockMs);
  });

  it('a try that outlasts the run ends with it', async () => {
    const { run, tries, clock } = calling([fails, never], {}, { budget: { wallClockMs: 900 } });
    expect((await run()).stopReason).toBe('timeout');
    expect(tries.map(({ options }) => options.abortSignal.aborted)).toEqual([expect.anything(), true]);
    expect(clock.armed).toBe(0);
  });

  it('keep to the rate limit of the tool: each try is a start', async () => {
    const { run, tries } = calling([fails, fails, () => 'seen'], { rateLimit: { calls: 1, perMs: 3_000 } });
    await run();
    expect(tries.map(({ atMs }) => atMs)).toEqual([0, 3_000, 6_000]);
  });

  it('count for the rate limit from the instant of the try on', async () => {
    let now = () => 0;
    const { tool, tries } = scripted([fails, () => 'seen'], () => now(), { rateLimit: { calls: 2, perMs: 3_000 } });
    const replies = [act('look', { n: 1 }), act('look', { n: 2 }), act('look', { n: 3 }), answer('ok')];
    const { run, clock, events } = setup({ replies, tools: { look: tool } });
    now = clock.monotonicMs;
    await run();
    const [second = 0] = retriesIn(events).map(({ waitMs }) => waitMs);
    expect(tries.map(({ atMs }) => atMs)).toEqual([0, second, 3_000, second + 3_000]);
  });

  it('a wait that the window makes too long is not begun', async () => {
    const marks = { rateLimit: { calls: 1, perMs: 3_000 } };
    const { run, tries } = calling([fails], marks, { budget: { wallClockMs: 2_000 } });
    expect((await run()).stopReason).toBe('final');
    expect(tries).toHaveLength(1);
  });
});

describe('who cancels', () => {
  it('during a wait leaves nothing armed, and gives the place in the window back', async () => {
    let now = () => 0;
    const marks = { rateLimit: { calls: 1, perMs: 1_000 } };
    const { tool, tries } = scripted([fails, () => 'seen'], () => now(), marks);
    const { start, clock } = setup({ replies: [act('look'), act('look'), answer('ok')], tools: { look: tool } });
    now = clock.monotonicMs;
    const run = start();
    await clock.calm();
    run.abort('enough');
    expect((await clock.until(run.outcome)).stopReason).toBe('aborted');
    await clock.until(start().outcome);
    expect(tries.map(({ atMs }) => atMs)).toEqual([0, 1_000]);
    expect(clock.armed).toBe(0);
  });

  it('during the last wait leaves nothing armed', async () => {
    const { start, clock, tries } = calling([fails]);
    const run = start();
    await clock.pass(300);
    run.abort('enough');
    expect((await clock.until(run.outcome)).stopReason).toBe('aborted');
    expect(clock.armed).toBe(0);
    await clock.pass(10_000);
    expect(tries).toHaveLength(2);
  });

  it('during a try aborts the signal of that try', async () => {
    const { start, clock, tries } = calling([fails, never]);
    const run = start();
    await clock.calm();
    await clock.pass(300);
    expect(tries.at(-1)?.options.abortSignal.aborted).toBe(false);
    run.abort('enough');
    expect((await clock.until(run.outcome)).stopReason).toBe('aborted');
    expect(tries.map(({ options }) => options.attempt)).toEqual([1, 2]);
    expect(tries.at(-1)?.options.abortSignal.aborted).toBe(true);
    expect(clock.armed).toBe(0);
  });

  it.each<[string, number, (abort: () => void) => unknown]>([
    ['the first try, and hangs', 1, (abort) => [abort(), never()][1]],
    ['the second try, and hangs', 2, (abort) => [abort(), never()][1]],
    ['the second try, and throws', 2, (abort) => [abort(), fails()][1]],
  ])('from within %s, leaves nothing armed', async (_what, count, last) => {
    let abort = () => {};
    const script = [...Array.from({ length: count - 1 }, () => fails), () => last(() => abort())];
    const { start, clock, tries } = calling(script, { retries: 5 });
    const run = start();
    abort = () => run.abort('enough');
    expect((await clock.until(run.outcome)).stopReason).toBe('aborted');
    expect(tries).toHaveLength(count);
    expect(clock.armed).toBe(0);
  });
});

describe('the record', () => {
  it('has each try that was followed by another', async () => {
    const { run, events } = calling([never, fails, () => 'seen']);
    await run();
    const place = events.map(({ type }) => type);
    const from = place.indexOf('calls.checked');
    expect(place.slice(from, from + 4)).toEqual(['calls.checked', 'call.retried', 'call.retried', 'call.settled']);
    expect(retriesIn(events)).toMatchObject([
      { step: 1, callId: '1.1', attempt: 1, atMs: 1_000, error: null, observation: expect.stringMatching(/timed out/) },
      { step: 1, callId: '1.1', attempt: 2, error: { message: 'the disk is full' } },
    ]);
    expect(settledIn(events)[0]).not.toHaveProperty('error');
  });

  it('has what comes late of an earlier try as late, behind the result, and the run never uses it', async () => {
    let first: (value: unknown) => void = () => {};
    const slow = () =>
      new Promise((resolve) => {
        first = resolve;
      });
    const giveFirst = () => {
      first('stale');
      return never();
    };
    const { run, events, model } = calling([slow, giveFirst, () => 'fresh']);
    expect((await run()).steps[0]?.calls).toMatchObject([{ status: 'succeeded', observation: 'fresh' }]);
    expect(settledIn(events).map(({ observation, ignored = false }) => [observation, ignored])).toEqual([
      ['fresh', false],
      ['stale', true],
    ]);
    expect(JSON.stringify(model.requests)).not.toContain('stale');
    expect(foldTrace(events).ended).toBe(true);
  });

  it('of reads that run side by side: each has tries of its own', async () => {
    const one = scripted([fails, () => 'one'], () => 0, {});
    const two = scripted([fails, fails, () => 'two'], () => 0, {});
    const { run, events } = setup({
      replies: [{ calls: [{ tool: 'one' }, { tool: 'two' }] }, 'ok'],
      tools: { one: one.tool, two: two.tool },
      agent: { dialect: 'native' },
    });
    expect((await run()).steps[0]?.calls).toMatchObject([{ observation: 'one' }, { observation: 'two' }]);
    expect(
      retriesIn(events)
        .map(({ callId, attempt }) => `${callId} ${attempt}`)
        .sort(),
    ).toEqual(['1.1 1', '1.2 1', '1.2 2']);
    expect(foldTrace(events).ended).toBe(true);
  });

  it('hides secrets in it', async () => {
    const { run, events } = calling([failsWith('no sk-123'), () => 'seen'], {}, { redact: ['sk-123'] });
    await run();
    expect(retriesIn(events)[0]?.error?.message).toBe('no [redacted]');
    expect(JSON.stringify(events)).not.toContain('sk-123');
  });
});

describe('other parts', () => {
  it.each<['dryRun' | 'readOnly', Partial<AnyTool>, number]>([
    ['dryRun', { readOnly: false, idempotent: true }, 0],
    ['dryRun', { readOnly: true }, 3],
    ['readOnly', { readOnly: false, idempotent: true }, 0],
  ])('the policy %s with a tool marked %j runs it %i times', async (policy, marks, count) => {
    const { run, tries } = calling([fails], marks, { policy });
    await run();
    expect(tries).toHaveLength(count);
  });

  it('a failure after all tries counts once', async () => {
    const { run, tries } = calling([fails], { retries: 5 }, { budget: { maxToolErrors: 2, maxToolCalls: 1 } });
    expect((await run()).stopReason).toBe('final');
    expect(tries).toHaveLength(6);
  });

  it('what was interrupted between tries is run again, from its first try on, with the same key', async () => {
    const { agent, start, clock, tries } = calling([fails, fails, () => 'seen'], {}, { budget: { maxSteps: 4 } });
    const run = start();
    await clock.calm();
    await clock.pass(1);
    const snapshot = run.snapshot();
    run.abort('the process dies');
    const outcome = await clock.until(agent.resume(snapshot).outcome);
    expect(outcome.stopReason).toBe('final');
    expect(tries.map(({ options }) => options.attempt)).toEqual([1, 1, 2]);
    expect(new Set(tries.map(({ options }) => options.idempotencyKey)).size).toBe(1);
  });

  it.each([Number.NaN, -1, 1.5, '3'])('retries of %j are refused when the agent is made', (retries) => {
    const look: AnyTool = { inputSchema: anyInput, execute: () => 1 };
    Object.assign(look, { retries });
    expect(() => setup({ replies: [], tools: { look } })).toThrow(/tools\.look\.retries is /);
  });
});

async function* brokenGenerator() {
  yield 'half';
  throw new Error('the line broke');
}

async function* endless() {
  for (;;) yield 'more';
}

function throwIt(thrown: unknown): never {
  throw thrown;
}

const otherToolError = Object.assign(new Error('No 2.'), { name: 'ToolError' });
const hostile = new Proxy({}, { get: failsWith('a trap'), getPrototypeOf: failsWith('a trap') });

it('each try has an input of its own, whatever the one before wrote into its', async () => {
  const given: string[] = [];
  const look: AnyTool = {
    inputSchema: { type: 'object' },
    readOnly: true,
    retries: 2,
    execute(input: { q: unknown }) {
      given.push(JSON.stringify(input));
      input.q = 'changed';
      if (given.length < 3) fails();
      return 'seen';
    },
  };
  const { run } = setup({ replies: [act('look', { q: 1 }), answer('ok')], tools: { look } });
  const outcome = await run();
  expect(given).toEqual(['{"q":1}', '{"q":1}', '{"q":1}']);
  expect(outcome.steps[0]?.calls[0]).toMatchObject({ status: 'succeeded', input: { q: 1 } });
});
