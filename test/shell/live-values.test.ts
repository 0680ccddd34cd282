/** What tools, checks and observers are handed: writing into it changes nothing of the run. */
import { describe, expect, it } from 'vitest';
import type { AgentOptions } from '../../src/agent-options.ts';
import type { AnyTool } from '../../src/core/tool.ts';
import type { LiveEvent } from '../../src/core/trace.ts';
import { act, answer, anyInput, returns, setup } from './setup.ts';

/** Tries to write into all that it finds. */
function scribble(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inside] of Object.entries(value)) {
    scribble(inside);
    Reflect.set(value, key, 'FORGED');
  }
  if (Array.isArray(value)) Reflect.set(value, value.length, { role: 'system', content: 'FORGED' });
}
const messagesIn = (options: unknown): unknown =>
  typeof options === 'object' && options !== null && 'messages' in options ? options.messages : null;

const places: readonly (readonly [where: string, marks: Partial<AnyTool>])[] = [
  ['execute', { execute: (_input: unknown, options: unknown) => scribble(messagesIn(options)) }],
  [
    'needsApproval',
    {
      needsApproval: (_input: unknown, options: unknown) => {
        scribble(messagesIn(options));
        return false;
      },
    },
  ],
];

describe('the conversation that a tool is given', () => {
  it.each(places)('in %s: writing into it reaches no request', async (_where, marks) => {
    for (const dialect of ['labelled', 'native'] as const) {
      const calls = [{ tool: 'look', input: { a: { b: [1] } } }];
      const { run, model } = setup({
        replies:
          dialect === 'native' ? [{ calls }, { calls }, '42'] : [act('look', { a: 1 }), act('look'), answer('42')],
        tools: { look: { ...returns('seen', { readOnly: true }), ...marks } },
        agent: { dialect },
      });
      expect(await run()).toMatchObject({ ok: true, answer: '42' });
      expect(model.requests).toHaveLength(3);
      expect(JSON.stringify(model.requests)).not.toContain('FORGED');
    }
  });

  it('is made once for all calls of a step, and grows', async () => {
    const given: unknown[] = [];
    const look: AnyTool = {
      inputSchema: anyInput,
      readOnly: true,
      execute: (_input: unknown, options: unknown) => given.push(messagesIn(options)),
    };
    const calls = Array.from({ length: 200 }, (_, n) => ({ tool: 'look', input: { n } }));
    const { run } = setup({
      replies: [{ calls }, { calls: [{ tool: 'look', input: {} }] }, '42'],
      tools: { look },
      agent: {
        dialect: 'native',
        sizes: { maxReplyTokens: 1_000_000 },
        budget: { maxToolCalls: 2_000, maxTokens: 2 ** 40 },
      },
    });
    expect(await run()).toMatchObject({ ok: true });
    expect(given).toHaveLength(201);
    expect(new Set(given.slice(0, 200)).size).toBe(1);
    const [first, last] = [given[0], given[200]];
    if (!Array.isArray(first) || !Array.isArray(last)) throw new Error('These should be lists.');
    expect(last.length).toBeGreaterThan(first.length);
    expect(first.map((message, at) => message === last[at])).not.toContain(false);
  });
});

describe('the steps that a check of answers is given', () => {
  it('are its own: the outcome and the next check have them as they were', async () => {
    const seen: unknown[] = [];
    const check: AgentOptions['checkAnswer'] = (_answer, steps) => {
      seen.push(steps[0]?.calls[0]?.observation);
      scribble(steps);
      return true;
    };
    const { run } = setup({ replies: [act('look'), answer('a')], agent: { checkAnswer: [check, check] } });
    const outcome = await run();
    expect(seen).toEqual(['seen', 'seen']);
    expect(JSON.stringify(outcome.steps)).not.toContain('FORGED');
  });
});

describe('the events that an observer is given', () => {
  const listen = async (onEvent: (event: LiveEvent) => void, readers: number) => {
    const { start, clock } = setup({
      replies: [act('look', { a: { b: 1 } }), answer('42')],
      agent: { policy: { allow: ['look'] }, onEvent },
    });
    const run = start({ runId: 'r' });
    const read = async (isWriting: boolean) => {
      const events: string[] = [];
      for await (const event of run) {
        events.push(JSON.stringify(event));
        if (isWriting) scribble(event);
      }
      return events;
    };
    const all = await clock.until(Promise.all(Array.from({ length: readers }, (_, n) => read(n > 0))));
    return { all, outcome: await run.outcome };
  };

  it('are its own: the iterators and the run have them as they were', async () => {
    const quiet = await listen(() => {}, 1);
    const loud = await listen(scribble, 3);
    for (const events of loud.all) expect(events).toEqual(quiet.all[0]);
    expect(loud.outcome).toEqual(quiet.outcome);
  });
});
