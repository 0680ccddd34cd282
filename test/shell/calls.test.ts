/** What the model is told of each call, and what is never done twice. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ToolRecord } from '../../src/core/tool.ts';
import { tool } from '../../src/tool.ts';
import { act, answer, anyInput, hangs, observationAfter, returns, setup } from './setup.ts';

const throws = (thrown: unknown) =>
  tool({
    inputSchema: anyInput,
    execute: () => {
      throw thrown;
    },
  });
const circular: { self?: unknown } = {};
circular.self = circular;

describe('the observation of a call', () => {
  const exact = {
    type: 'object',
    properties: { id: { type: 'integer' } },
    required: ['id'],
    additionalProperties: false,
  } as const;
  it.each<[string, ToolRecord, string, readonly string[]]>([
    ['a text', { a: returns('seen') }, act('a'), ['Observation: seen']],
    ['an object', { a: returns({ n: [1, null] }) }, act('a'), ['{"n":[1,null]}']],
    ['nothing', { a: returns(undefined) }, act('a'), ['returned nothing']],
    [
      'a big integer, a map, a set, an error',
      { a: returns({ b: 10n, m: new Map([['k', 1]]), s: new Set([2]), e: new Error('x') }) },
      act('a'),
      ['{"b":"10","m":{"k":1},"s":[2],"e":"Error: x"}'],
    ],
    ['bytes', { a: returns({ image: new Uint8Array(5) }) }, act('a'), ['5 bytes of binary data']],
    ['a circle', { a: returns(circular) }, act('a'), ['{"self":"(circular)"}']],
    [
      'a getter that throws',
      {
        a: returns({
          get x() {
            throw new Error('no');
          },
        }),
      },
      act('a'),
      ['cannot be shown'],
    ],
    [
      'five million characters',
      { a: returns(`start${'x'.repeat(5_000_000)}end`) },
      act('a'),
      ['start', 'end', 'of 5000008 characters are not shown'],
    ],
    ['a throw', { a: throws(new Error('disk full')) }, act('a'), ['[ToolError] a failed: disk full.']],
    ['a throw of a text', { a: throws('disk full') }, act('a'), ['[ToolError] a failed: disk full.']],
    [
      'a throw of an object whose message throws',
      {
        a: throws({
          toJSON() {
            throw new Error('no');
          },
        }),
      },
      act('a'),
      ['cannot be shown'],
    ],
    [
      'an unknown name',
      { query_metrics: returns(1) },
      act('queryMetric'),
      ['no tool called "queryMetric"', 'Did you mean "query_metrics"?'],
    ],
    [
      'a short name with swapped letters',
      { send: returns(1), find: returns(1) },
      act('sned'),
      ['no tool called "sned"', 'Did you mean "send"?'],
    ],
    [
      'a name that is a property of every object',
      { a: returns(1) },
      act('constructor'),
      ['no tool called "constructor"', 'The tools are: a.'],
    ],
    [
      'a missing key',
      { a: returns(1, { inputSchema: exact }) },
      act('a', {}),
      ['required property "id"', 'Expected: {"id": integer}'],
    ],
    ['an unexpected key', { a: returns(1, { inputSchema: exact }) }, act('a', { id: 1, x: 2 }), ['"x"']],
    [
      'a wrong type, by zod',
      { a: returns(1, { inputSchema: z.object({ id: z.number() }) }) },
      act('a', { id: 'one' }),
      ['id: ', 'number'],
    ],
    [
      'a schema that throws',
      {
        a: returns(1, {
          inputSchema: {
            '~standard': {
              version: 1,
              vendor: 'x',
              validate: () => {
                throw new Error('bad schema');
              },
            },
          },
        }),
      },
      act('a'),
      ['could not be checked (bad schema)'],
    ],
  ])('%s', async (_what, tools, reply, told) => {
    const { run, model } = setup({ replies: [reply, answer('ok')], tools });
    expect(await run()).toMatchObject({ ok: true });
    for (const part of told) expect(observationAfter(model, 1)).toContain(part);
  });

  it('is in Chinese where the agent is', async () => {
    const { run, model } = setup({ replies: [act('lok'), 'Hm.', answer('好')], agent: { language: 'zh' } });
    await run();
    expect(observationAfter(model, 1)).toContain('[ToolError] 没有名为“lok”的工具');
    expect(observationAfter(model, 2)).toContain('[FormatError]');
  });

  it('gives the tool what the schema makes of the input', async () => {
    const seen: unknown[] = [];
    const inputSchema = z.object({ n: z.coerce.number(), unit: z.string().default('m') });
    const measure = tool({ inputSchema, execute: ({ n, unit }) => void seen.push(n * 2, unit) });
    await setup({ replies: [act('measure', { n: '4' }), answer('ok')], tools: { measure } }).run();
    expect(seen).toEqual([8, 'm']);
  });
});

describe('a tool that takes too long', () => {
  it.each([
    ['a read', { readOnly: true }, 'no result within 2 s', 0],
    ['an unmarked tool', {}, 'may have taken effect; nobody knows', 1],
    ['an idempotent tool', { idempotent: true }, 'no result within 2 s', 0],
  ])('%s is left on time, and its late result is recorded and never used', async (_what, marks, told, unknown) => {
    let finish = (_value: string) => {};
    let signal: AbortSignal | undefined;
    const slow = tool({
      inputSchema: anyInput,
      timeoutMs: 2_000,
      execute: (_input, options) => {
        signal = options.abortSignal;
        return new Promise<string>((resolve) => {
          finish = resolve;
        });
      },
      ...marks,
    });
    const { clock, model, events, start } = setup({
      replies: [act('slow'), { text: answer('without it'), delayMs: 1_000 }],
      tools: { slow },
    });
    const run = start();
    await clock.pass(2_500);
    expect(signal?.aborted).toBe(true);
    finish('late');
    const outcome = await clock.until(run.outcome);
    expect(outcome).toMatchObject({ ok: true, answer: 'without it' });
    expect(outcome.unknown).toHaveLength(unknown);
    expect(observationAfter(model, 1)).toContain(told);
    expect(JSON.stringify(model.requests)).not.toContain('late');
    expect(events.filter(({ type, ignored }) => type === 'call.settled' && ignored === true)).toHaveLength(1);
  });

  it('may reject after the end: nobody hears of it', async () => {
    let fail = (_error: Error) => {};
    const slow = tool({
      inputSchema: anyInput,
      execute: () =>
        new Promise((_resolve, reject) => {
          fail = reject;
        }),
    });
    const { clock, events, start } = setup({ replies: [act('slow')], tools: { slow } });
    const run = start();
    await clock.calm();
    run.abort();
    await run.outcome;
    const length = events.length;
    fail(new Error('too late'));
    await clock.calm();
    expect(events).toHaveLength(length);
  });
});

describe('the duplicate rule', () => {
  const twice = [act('send', { to: 'a', n: 1 }), act('send', { n: 1, to: 'a' }), answer('ok')];
  it.each([
    [
      'a side effect that succeeded',
      { sideEffect: true, needsApproval: false },
      1,
      'call 1.1 had the same input and succeeded',
    ],
    ['an idempotent one', { sideEffect: true, idempotent: true, needsApproval: false }, 2, 'sent'],
    ['an unmarked tool that succeeded', {}, 2, 'sent'],
    ['a read', { readOnly: true }, 2, 'sent'],
  ])('%s: started %i times', async (_what, marks, times, told) => {
    let started = 0;
    const send = tool({ inputSchema: anyInput, execute: () => `sent ${++started}`, ...marks });
    const { run, model } = setup({ replies: twice, tools: { send } });
    await run();
    expect(started).toBe(times);
    expect(observationAfter(model, 2)).toContain(told);
  });

  it('never starts a tool again whose outcome is unknown', async () => {
    let started = 0;
    const pay = hangs({ timeoutMs: 10 });
    const tools = { pay: { ...pay, execute: () => new Promise(() => started++) } };
    const { run, model } = setup({ replies: [act('pay', { n: 1 }), act('pay', { n: 1 }), answer('unclear')], tools });
    const outcome = await run();
    expect(started).toBe(1);
    expect(outcome.unknown).toHaveLength(1);
    expect(observationAfter(model, 2)).toContain('nobody knows whether it took effect');
  });
});

describe('the loop guard', () => {
  it('warns on the second equal step', async () => {
    const { run, model, events } = setup({ replies: [act('look'), act('look'), answer('ok')] });
    await run();
    expect(events.filter(({ type }) => type === 'loop.warned')).toMatchObject([{ step: 2 }]);
    expect(observationAfter(model, 1)).not.toContain('[LoopGuard]');
    expect(observationAfter(model, 2)).toContain('[LoopGuard]');
  });

  it('spares polling whose result changes', async () => {
    let n = 0;
    const { run } = setup({
      replies: [...Array.from({ length: 8 }, () => act('poll')), answer('ok')],
      tools: { poll: tool({ inputSchema: anyInput, execute: () => n++ }) },
    });
    expect(await run()).toMatchObject({ ok: true });
  });

  it('can be switched off', async () => {
    const { run } = setup({
      replies: [...Array.from({ length: 8 }, () => act('look')), answer('ok')],
      agent: { loopGuard: 'off' },
    });
    expect(await run()).toMatchObject({ ok: true });
  });
});
