/** Runs in the dialect `native`: several calls in a reply, each with its own fate, and what the model is sent of them. */
import { describe, expect, it } from 'vitest';
import type { AgentOptions } from '../../src/agent-options.ts';
import type { Message, Model, ModelEvent } from '../../src/core/model.ts';
import type { ToolRecord } from '../../src/core/tool.ts';
import type { ScriptEntry, ScriptedCall } from '../../src/models/scripted.ts';
import { tool } from '../../src/tool.ts';
import { hangs, returns, setup } from './setup.ts';

const call = (name: string, input: ScriptedCall['input'] = {}): ScriptedCall => ({ tool: name, input });
const native = (replies: readonly ScriptEntry[], tools?: ToolRecord, agent: Partial<AgentOptions> = {}) =>
  setup({ replies, ...(tools && { tools }), agent: { dialect: 'native', ...agent } });

const throws = tool({
  inputSchema: { type: 'object' },
  execute: () => {
    throw new Error('the disk is full');
  },
});
const wantsText = tool({
  inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
  execute: () => 'found',
});
const look = returns('seen', { readOnly: true });
const send = returns('sent', { sideEffect: true });

/** The messages behind the task, as `role: content`, with the ids of calls and results. */
function told(messages: readonly Message[] = []): readonly string[] {
  return messages.slice(2).map((message) => {
    if (message.role === 'tool') return `${message.toolCallId}: ${message.content}`;
    const calls = message.role === 'assistant' ? (message.calls ?? []) : [];
    return `${message.role}: ${[message.content, ...calls.map(({ toolCallId, tool }) => `${tool}#${toolCallId}`)].join(' ')}`;
  });
}

describe('several calls in one reply', () => {
  const calls = [
    call('look', { n: 1 }),
    call('send', { to: 'a' }),
    call('nope'),
    call('slow'),
    call('throws'),
    call('find', { q: 7 }),
    call('send', { to: 'b' }),
    call('look', { n: 2 }),
  ];
  const tools = { look, send, slow: hangs({ readOnly: true, timeoutMs: 500 }), throws, find: wantsText };

  it('have each their own fate, over a snapshot and a person, and results in the order of the calls', async () => {
    const { agent, clock, model } = native([{ text: 'All at once.', calls }, 'done'], tools);
    const first = await clock.until(agent.run('the task'));
    if (first.ok || first.snapshot === undefined) throw new Error('it should have been suspended');
    expect(first.steps[0]?.calls.map(({ status }) => status)).toEqual([
      'succeeded',
      'waiting',
      'refused',
      'failed',
      'failed',
      'refused',
      'waiting',
      'succeeded',
    ]);
    const run = agent.resume(JSON.parse(JSON.stringify(first.snapshot)));
    run.deny('1.2', 'not them');
    run.approve('1.7');
    const outcome = await clock.until(run.outcome);
    expect(outcome).toMatchObject({ ok: true, answer: 'done', usage: { toolCalls: 5 } });
    const results = told(model.requests[1]?.messages);
    expect(results[0]).toBe(
      `assistant: All at once. ${calls.map((each, index) => `${each.tool}#c0000100${index + 1}`).join(' ')}`,
    );
    const wanted = ['seen', 'not them', 'no tool called "nope"', 'timed out', 'the disk is full', 'q', 'sent', 'seen'];
    expect(results.slice(1)).toEqual(
      wanted.map((part, index) => expect.stringMatching(new RegExp(`^c0000100${index + 1}: .*${part}`))),
    );
  });

  it('of equal ones that may have an effect one runs', async () => {
    const { run, model } = native([{ calls: [call('put'), call('put')] }, 'done'], { put: returns('put') });
    expect(await run()).toMatchObject({ ok: true, usage: { toolCalls: 1 } });
    expect(told(model.requests[1]?.messages).slice(1)).toEqual([
      'c00001001: put',
      expect.stringMatching(/^c00001002: \[ToolError\] put was run once: call 1\.1/),
    ]);
  });

  it('are counted against the budget of calls', async () => {
    const { run } = native(
      [{ calls: [1, 2, 3].map((n) => call('look', { n })) }],
      { look },
      { budget: { maxToolCalls: 2 } },
    );
    const outcome = await run();
    expect(outcome).toMatchObject({ ok: false, stopReason: 'max_tool_calls' });
    expect(outcome.usage.toolCalls).toBeLessThanOrEqual(2);
  });

  it('are warned about when they repeat, behind the last result, and end the run in a loop', async () => {
    const { run, model } = native(Array(9).fill({ calls: [call('look', { n: 1 }), call('look', { n: 2 })] }), { look });
    expect(await run()).toMatchObject({ ok: false, stopReason: 'loop_detected', usage: { steps: 4 } });
    expect(told(model.requests[2]?.messages).slice(4)).toEqual([
      'c00002001: seen',
      expect.stringMatching(/^c00002002: seen\n\[LoopGuard\] /),
    ]);
  });
});

describe('what is sent', () => {
  it('holds the tools, and no stop', async () => {
    const { run, model } = native([{ calls: [call('look')] }, 'done'], { look });
    await run();
    for (const { tools, stop } of model.requests) {
      expect(tools?.map(({ name }) => name)).toEqual(['look']);
      expect(stop).toEqual([]);
    }
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
  });

  it.each([
    ['labels', 'Thought: I look.\nAction: look\nAction Input: {"n": 1}'],
    ['tags', '<tool_call>{"name": "look", "arguments": {"n": 1}}</tool_call>'],
    ['JSON', '{"name": "look", "arguments": {"n": 1}}'],
  ])('a call written as %s goes back as a call', async (_form, reply) => {
    const { run, model } = native([reply, 'done'], { look });
    expect(await run()).toMatchObject({ ok: true, steps: [{ calls: [{ tool: 'look', input: { n: 1 } }] }, {}] });
    expect(model.requests[1]?.messages.slice(2)).toMatchObject([
      { role: 'assistant', calls: [{ toolCallId: 'c00001001', tool: 'look', input: { n: 1 } }] },
      { role: 'tool', toolCallId: 'c00001001', content: 'seen' },
    ]);
  });

  it('a reply cut by its length runs nothing, whole calls or not, and is told so', async () => {
    const { run, model } = native([{ calls: [call('look')], finish: 'length' }, 'done'], { look });
    expect(await run()).toMatchObject({ ok: true, usage: { toolCalls: 0 }, violations: 1 });
    expect(told(model.requests[1]?.messages)).toEqual([
      'assistant: (empty reply)',
      expect.stringMatching(/^user: \[FormatError\] .*length/),
    ]);
  });

  it('an answer that was sent back is told as text', async () => {
    const checkAnswer = (answer: string) => answer === 'better' || 'Say it better.';
    const { run, model } = native(['bad', 'better'], { look }, { checkAnswer });
    expect(await run()).toMatchObject({ ok: true, answer: 'better' });
    expect(told(model.requests[1]?.messages)).toEqual(['assistant: bad', expect.stringContaining('Say it better.')]);
  });
});

describe('the budget of tokens', () => {
  const large = tool({ description: 'many words '.repeat(400), inputSchema: { type: 'object' }, execute: () => 1 });

  it('counts the tools of a request', async () => {
    const options = { system: '', budget: { maxTokens: 1000 } };
    const { run, model } = native(['done'], { large }, options);
    expect(await run()).toMatchObject({ ok: false, stopReason: 'token_budget' });
    expect(model.requests).toHaveLength(0);
    expect(await native(['done'], { look }, options).run()).toMatchObject({ ok: true });
  });

  it('counts the inputs of earlier calls', async () => {
    const input = { text: 'word '.repeat(2000) };
    const { run, model } = native(
      [{ calls: [call('look', input)] }, 'done'],
      { look },
      { system: '', budget: { maxTokens: 4000 } },
    );
    expect(await run()).toMatchObject({ ok: false, stopReason: 'token_budget', usage: { toolCalls: 1 } });
    expect(model.requests).toHaveLength(1);
  });

  it.each<[string, (n: number) => ModelEvent]>([
    ['arguments', () => ({ type: 'call', index: 0, id: null, tool: '', input: '1, ' })],
    ['names', () => ({ type: 'call', index: 0, id: null, tool: 'look', input: '' })],
    ['calls', (index) => ({ type: 'call', index, id: null, tool: 'look', input: '{}' })],
    ['pieces without content', (index) => ({ type: 'call', index, id: null, tool: '', input: '' })],
    ['ids', (n) => ({ type: 'call', index: null, id: `${n}`, tool: '', input: '' })],
  ])('ends an endless stream of %s, and nothing of it runs', async (_what, piece) => {
    const endless: Model = {
      provider: 'endless',
      name: 'endless',
      async *generate() {
        yield { type: 'call', index: 0, id: null, tool: 'look', input: '{"n": [' };
        for (let n = 1; ; n++) yield piece(n);
      },
    };
    const { run } = native([], { look }, { model: endless });
    const outcome = await run();
    expect(outcome).toMatchObject({ ok: false, stopReason: 'violations_exhausted', usage: { toolCalls: 0 } });
    expect(outcome.steps.map(({ violation }) => violation?.code)).toEqual(['too_long', 'too_long', 'too_long']);
  });
});

describe('a text dialect', () => {
  it('that is sent calls charges and ignores them', async () => {
    const text = 'Thought: I know.\nFinal Answer: 42';
    const plain = await setup({ replies: [text] }).run();
    const made = setup({ replies: [{ text, calls: [call('look', { text: 'word '.repeat(100) })] }] });
    const outcome = await made.run();
    expect(outcome).toMatchObject({ ok: true, answer: '42', usage: { toolCalls: 0 } });
    expect(outcome.usage.outputTokens).toBeGreaterThan(plain.usage.outputTokens + 100);
    expect(made.model.requests[0]).not.toHaveProperty('tools');
  });
});

it.each<[string, object]>([
  ['no members', {}],
  ['an index that is a text', { index: '0', id: null, tool: 'look', input: '' }],
  ['an index that is a fraction', { index: 0.5, id: null, tool: 'look', input: '' }],
  ['an id that is a number', { index: 0, id: 7, tool: 'look', input: '' }],
  ['no id', { index: 0, tool: 'look', input: '' }],
  ['a tool that is null', { index: 0, id: null, tool: null, input: '' }],
  ['an input that is an object', { index: 0, id: null, tool: 'look', input: {} }],
])('a call event with %s is a breach that names the adapter', async (_what, event) => {
  const odd: Model = {
    provider: 'odd',
    name: 'odd',
    async *generate() {
      yield { type: 'call', ...event } as ModelEvent;
      yield { type: 'end', finish: 'stop', usage: null };
    },
  };
  const { run } = native([], { look }, { model: odd });
  expect(await run()).toMatchObject({
    stopReason: 'model_error',
    usage: { toolCalls: 0 },
    error: { message: expect.stringContaining('The model adapter odd yielded something that is not a model event') },
  });
});
