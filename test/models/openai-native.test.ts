/** Whole runs in the dialect `native` over HTTP: what is run of a reply, and what is sent to the server. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createAgent } from '../../src/agent.ts';
import type { ToolRecord } from '../../src/core/tool.ts';
import { tool } from '../../src/tool.ts';
import type { ServerAnswer } from '../support/openai-server.ts';
import { messagesOf, wireProblems } from '../support/strict-wire.ts';
import { serve, sse } from './openai-setup.ts';

const said = (message: object, finish: string | null = null) => ({
  choices: [{ delta: message, finish_reason: finish }],
});
const called = (...calls: readonly unknown[]) => said({ tool_calls: calls });
const fn = (name: unknown, input: unknown, more: object = {}) => ({ ...more, function: { name, arguments: input } });
const over = said({}, 'tool_calls');

/** Runs the replies, and an answer behind them. */
async function runWith(
  replies: readonly ServerAnswer[],
  { seed = 1, stream = true, extra = {} }: { seed?: number; stream?: boolean; extra?: ToolRecord } = {},
) {
  const { server, model } = await serve([...replies, { text: 'done' }], { seed, stream });
  const ran: (readonly [string, unknown])[] = [];
  const noting = (name: string, field: string) =>
    tool({
      description: `Does ${name}.`,
      inputSchema: z.object({ [field]: z.json().optional() }),
      execute: (input) => {
        ran.push([name, input]);
        return `${name} was done`;
      },
    });
  const agent = createAgent({
    model,
    dialect: 'native',
    modelRetries: 0,
    tools: { search: noting('search', 'q'), 'save note': noting('save note', 'text'), ...extra },
  });
  const outcome = await agent.run('the task');
  return { outcome, ran, bodies: server.requests.map(({ body }) => body) };
}

const q = '{"q":"tide"}';
const search = ['search', { q: 'tide' }] as const;
const save = ['save note', { text: 'x' }] as const;

const runs: readonly (readonly [string, readonly object[], readonly (readonly [string, unknown])[]])[] = [
  ['one call', [called(fn('search', q, { index: 0, id: 'x' })), over], [search]],
  [
    'parallel calls, one whose name is other on the wire',
    [
      called(fn('search', q, { index: 0, id: 'x' })),
      called(fn('save_note', '{"text":"x"}', { index: 1, id: 'y' })),
      over,
    ],
    [search, save],
  ],
  [
    'arguments in pieces, the calls mixed',
    [
      called(fn('search', '{"q"', { index: 0 }), fn('save_note', '{"te', { index: 1 })),
      called(fn(undefined, 'xt":"x"}', { index: 1 }), fn(undefined, ':"tide"}', { index: 0 })),
      over,
    ],
    [search, save],
  ],
  [
    'ids that are missing',
    [called(fn('search', q, { index: 0 })), called(fn('search', q, { index: 1 })), over],
    [search],
  ],
  [
    'no index',
    [called(fn('search', '{"q":')), called(fn('', '"tide"}')), called(fn('save_note', '{"text":"x"}')), over],
    [search, save],
  ],
  [
    'one index for all, with ids',
    [
      called(fn('search', q, { index: 0, id: 'x' })),
      called(fn('save_note', '{"text":"x"}', { index: 0, id: 'y' })),
      over,
    ],
    [search, save],
  ],
  [
    'one index for all, without ids',
    [called(fn('search', q, { index: 0 })), called(fn('save_note', '{"text":"x"}', { index: 0 })), over],
    [search, save],
  ],
  [
    'the name in pieces',
    [called(fn('sea', '', { index: 0 })), called(fn('rch', '', { index: 0 })), called(fn('', q, { index: 0 })), over],
    [search],
  ],
  ['arguments that are an object', [called(fn('search', { q: 'tide' })), over], [search]],
  ['arguments as JSON in a JSON string', [called(fn('search', JSON.stringify(q))), over], [search]],
  ['arguments that are empty', [called(fn('search', '')), over], [['search', {}]]],
  ['arguments that are null', [called(fn('search', null)), over], [['search', {}]]],
  ['arguments that say null', [called(fn('search', 'null')), over], [['search', {}]]],
  ['arguments that are almost JSON', [called(fn('search', "{'q': 'tide',}")), over], [search]],
  ['arguments that are no JSON', [called(fn('search', 'tide table')), over], []],
  ['arguments that are cut, although the reply ended well', [called(fn('search', '{"q":"ti')), over], []],
  ['arguments that are a list', [called(fn('search', '["tide"]')), over], []],
  ['a tool that does not exist', [called(fn('rm', '{}')), over], []],
  [
    'function_call of old servers',
    [
      said({ function_call: { name: 'search', arguments: '{"q":' } }),
      said({ function_call: { arguments: '"tide"}' } }),
      said({}, 'function_call'),
    ],
    [search],
  ],
  ['finish_reason stop', [called(fn('search', q)), said({}, 'stop')], [search]],
  ['no finish_reason at all', [called(fn('search', q))], [search]],
  ['text beside calls', [said({ content: 'Action: save note' }), called(fn('search', q)), over], [search]],
  [
    'reasoning beside calls',
    [said({ reasoning_content: 'Action: save note\nAction Input: {}' }), called(fn('search', q)), over],
    [search],
  ],
  [
    'a call written as text',
    [said({ content: '<tool_call>{"name":"search","arguments":{"q":"tide"}}</tool_call>' }, 'stop')],
    [search],
  ],
];

describe('a reply with calls', () => {
  test.each(runs)('%s', async (_what, chunks, wanted) => {
    for (const seed of [1, 2]) {
      const { outcome, ran, bodies } = await runWith([{ body: sse(...chunks, '[DONE]') }], { seed });
      expect(outcome).toMatchObject({ ok: true, answer: 'done' });
      expect(ran).toEqual(wanted);
      for (const body of bodies) expect(wireProblems(body)).toEqual([]);
    }
  });

  test.each(['', 'I look.'])('in one piece, beside the text "%s"', async (text) => {
    const calls = [
      { name: 'search', arguments: q, id: 'x' },
      { name: 'save_note', arguments: '{"text":"x"}', id: 'x' },
    ];
    const { ran, outcome, bodies } = await runWith([{ text, calls }], { stream: false });
    expect(ran).toEqual([search, save]);
    expect(outcome.steps[0]).toMatchObject({ thought: text === '' ? null : text, answer: null });
    for (const body of bodies) expect(wireProblems(body)).toEqual([]);
  });
});

const whole = called(fn('search', q, { index: 0, id: 'x' }));
const nothing: readonly (readonly [string, ServerAnswer, object])[] = [
  [
    'a stream that ends inside the arguments',
    { body: sse(called(fn('search', '{"q":"ti'))) },
    { stopReason: 'model_error' },
  ],
  [
    'a stream that is reset there',
    { chunks: [sse(called(fn('search', '{"q":"ti')))], end: 'reset' },
    { stopReason: 'model_error' },
  ],
  ['a stream that ends behind a whole call', { body: sse(whole) }, { stopReason: 'model_error' }],
  ['an error behind a whole call', { body: sse(whole, { error: 'overloaded' }) }, { stopReason: 'model_error' }],
  ['a finish_reason that nobody knows', { body: sse(whole, said({}, 'tired')) }, { stopReason: 'model_error' }],
  ['the filter', { body: sse(whole, said({}, 'content_filter')) }, { stopReason: 'content_filter' }],
  [
    'a cut by length',
    { body: sse(whole, said({}, 'length'), '[DONE]') },
    { steps: [{ violation: { code: 'truncated' } }, {}] },
  ],
  [
    'a call without a name',
    { body: sse(called(fn('', q)), over) },
    { steps: [{ violation: { code: 'no_tool' } }, {}] },
  ],
];

test.each(nothing)('nothing runs: %s', async (_what, answer, wanted) => {
  const { outcome, ran, bodies } = await runWith([answer], { seed: 4 });
  expect(ran).toEqual([]);
  expect(outcome).toMatchObject(wanted);
  for (const body of bodies) expect(wireProblems(body)).toEqual([]);
});

test('what is sent: the tools with fit names, the calls, and the result of each', async () => {
  const extra = { 查: { description: '', inputSchema: { type: 'object' }, execute: () => 'found' } } as const;
  const calls = ['search', 'tool', 'no such tool!'].map((name) => ({ name, arguments: '{}' }));
  const { bodies } = await runWith([{ text: 'I look.', reasoning: 'hm', calls }], { extra });
  const [first, second] = bodies;
  expect(first).not.toHaveProperty('stop');
  expect(first?.tools).toMatchObject([
    { type: 'function', function: { name: 'search', description: 'Does search.', parameters: { type: 'object' } } },
    { type: 'function', function: { name: 'save_note', parameters: { properties: { text: {} } } } },
    { type: 'function', function: { name: 'tool', parameters: { type: 'object' } } },
  ]);
  expect(second?.tools).toEqual(first?.tools);
  const asked = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{}' } });
  expect(messagesOf(second).slice(2)).toEqual([
    {
      role: 'assistant',
      content: 'I look.',
      reasoning_content: 'hm',
      tool_calls: [asked('c00001001', 'search'), asked('c00001002', 'tool'), asked('c00001003', 'no_such_tool_')],
    },
    { role: 'tool', tool_call_id: 'c00001001', content: 'search was done' },
    { role: 'tool', tool_call_id: 'c00001002', content: 'found' },
    { role: 'tool', tool_call_id: 'c00001003', content: expect.stringContaining('[ToolError]') },
  ]);
});

test.each([
  [400, 'registry.ollama.ai/library/gemma does not support tools'],
  [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
  [500, 'tools param requires --jinja flag'],
  [404, 'No endpoints found that support tool use.'],
])('a server that takes no tools (%i %s): the hint names a text dialect', async (status, message) => {
  const { outcome } = await runWith([{ status, body: JSON.stringify({ error: { message } }) }]);
  expect(outcome).toMatchObject({ stopReason: 'model_error', error: { hint: expect.stringContaining("'labelled'") } });
});

test('a run without tools sends none', async () => {
  const { server, model } = await serve({ text: '42' });
  expect(await createAgent({ model, dialect: 'native' }).run('x')).toMatchObject({ answer: '42' });
  expect(server.requests[0]?.body).not.toHaveProperty('tools');
});
