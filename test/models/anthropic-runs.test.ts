/** Whole runs over HTTP: what is run of a reply, and that each request is one that the API takes. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createAgent } from '../../src/agent.ts';
import type { AgentOptions } from '../../src/agent-options.ts';
import type { AnthropicOptions } from '../../src/models/anthropic.ts';
import { tool } from '../../src/tool.ts';
import { type AnthropicAnswer, type Content, sseEvent } from '../support/anthropic-server.ts';
import { requestIn, wireProblems } from '../support/anthropic-wire.ts';
import { call, hidden, serve, text, thought } from './anthropic-setup.ts';

/** Runs the replies, and checks each request with all that was signed before it. */
async function runWith(
  replies: readonly AnthropicAnswer[],
  options: Partial<AnthropicOptions> & { readonly seed?: number } = {},
  agent: Partial<AgentOptions> = {},
) {
  const { server, model } = await serve(replies, options);
  const ran: (readonly [string, unknown])[] = [];
  const noting = (name: string, field: string) =>
    tool({
      description: `Does ${name}.`,
      inputSchema: z.object({ [field]: z.string() }),
      readOnly: true,
      execute: (input) => {
        ran.push([name, input]);
        return `${name} was done`;
      },
    });
  const tools = { search: noting('search', 'q'), 'save note': noting('save note', 'text') };
  const outcome = await createAgent({ model, tools, dialect: 'native', ...agent }).run('When is high tide?');
  const signed: Content[] = [];
  for (const [at, { body }] of server.requests.entries()) {
    expect(wireProblems(body, signed), `request ${at + 1}`).toEqual([]);
    signed.push(...(replies[at]?.content ?? []).filter(({ type }) => type.includes('thinking')));
  }
  return { outcome, ran, server, bodies: server.requests.map(({ body }) => requestIn(body)) };
}

const search = call('search', '{"q":"tide"}');
const save = call('save_note', '{"text":"x"}');
const done: AnthropicAnswer = { content: [text('At noon.')] };
const budget = { thinking: { budgetTokens: 2_000 }, cacheControl: false };

describe.each([true, false])('native, stream: %s', (stream) => {
  test('two steps with thinking on, and several calls at once', async () => {
    const { outcome, ran, bodies } = await runWith(
      [
        { content: [thought('Look first.', 'c2lnbmVk=='), hidden('AbC='), text('I look.\n'), search, save] },
        // Without interleaved thinking, only the first reply of a turn thinks.
        { content: [search] },
        done,
      ],
      { ...budget, stream, seed: 3 },
    );
    expect(outcome).toMatchObject({ ok: true, answer: 'At noon.' });
    expect(ran).toEqual([
      ['search', { q: 'tide' }],
      ['save note', { text: 'x' }],
      ['search', { q: 'tide' }],
    ]);
    const use = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
    const told = (tool_use_id: string, content: string) => ({ type: 'tool_result', tool_use_id, content });
    expect(bodies.map(({ thinking, temperature }) => [thinking?.type, temperature])).toEqual(
      Array(3).fill(['enabled', undefined]),
    );
    expect(bodies[2]?.messages.slice(1, 4)).toEqual([
      {
        role: 'assistant',
        content: [
          thought('Look first.', 'c2lnbmVk=='),
          hidden('AbC='),
          text('I look.'),
          use('c00001001', 'search', { q: 'tide' }),
          use('c00001002', 'save_note', { text: 'x' }),
        ],
      },
      {
        role: 'user',
        content: [told('c00001001', 'search was done'), told('c00001002', 'save note was done')],
      },
      { role: 'assistant', content: [use('c00002001', 'search', { q: 'tide' })] },
    ]);
    expect(bodies[0]?.tools?.map(({ name }) => name)).toEqual(['search', 'save_note']);
    expect(outcome.steps[0]).toMatchObject({ thought: 'I look.' });
  });

  test('thinking between texts and calls stays where it was', async () => {
    const content = [thought('One?'), text('One.'), thought('Two?'), search];
    const { bodies } = await runWith([{ content }, done], { ...budget, stream });
    expect(bodies[1]?.messages[1]?.content.map(({ type }) => type)).toEqual([
      'thinking',
      'text',
      'thinking',
      'tool_use',
    ]);
  });

  test('a turn that did not begin with thinking goes on without', async () => {
    const { bodies, outcome } = await runWith([{ content: [search] }, done], { ...budget, stream });
    expect(outcome).toMatchObject({ ok: true });
    expect(bodies.map(({ thinking, temperature }) => [thinking?.type, temperature])).toEqual([
      ['enabled', undefined],
      [undefined, 0],
    ]);
  });

  test.each([
    ['an input that is no JSON', [call('search', '{"q":"ti')], []],
    ['a call without a name', [call('', '{}')], []],
    ['a tool that does not exist', [call('rm', '{}')], []],
    ['nothing', [], []],
    ['white space alone', [text(' \n')], []],
    ['thinking alone', [thought('hm')], []],
    ['no input', [call('search', '')], []],
    ['text beside a call', [text('Action: save note'), search], [['search', { q: 'tide' }]]],
  ])('a reply with %s', async (_, content, wanted) => {
    const { ran, outcome } = await runWith([{ content }, done], { stream, seed: 2 });
    expect(outcome).toMatchObject({ ok: true, answer: 'At noon.' });
    expect(ran).toEqual(wanted);
  });
});

test('labelled: the texts, the stops, and thinking that is given back before the text', async () => {
  const first = 'Thought: Look.\nAction: search\nAction Input: {"q":"tide"}\n';
  const { outcome, ran, bodies } = await runWith(
    [
      { content: [thought('hm'), text(first)], finishReason: 'stop_sequence' },
      { content: [text('Thought: I know.\nFinal Answer: At noon.')] },
    ],
    { ...budget, seed: 4 },
    { dialect: 'labelled' },
  );
  expect(outcome).toMatchObject({ ok: true, answer: 'At noon.' });
  expect(ran).toEqual([['search', { q: 'tide' }]]);
  expect(bodies[0]).not.toHaveProperty('tools');
  expect(bodies[0]?.stop_sequences).toContain('\nObservation:');
  expect(bodies[1]?.messages[1]?.content).toEqual([thought('hm'), text(first.trim())]);
  expect(bodies.map(({ thinking }) => thinking?.type)).toEqual(['enabled', 'enabled']);
});

test('the marks for the cache move with the conversation', async () => {
  const { bodies } = await runWith([{ content: [search] }, { content: [save] }, { content: [search, save] }, done]);
  const marked = bodies.map(({ messages }) =>
    messages.flatMap(({ content }, at) => (content.some((block) => 'cache_control' in block) ? [at] : [])),
  );
  expect(marked).toEqual([[], [1], [1, 3], [3, 5]]);
});

test('tokens are those that the API counted, the cached ones too', async () => {
  const usages = [{ input_tokens: 2, cache_read_input_tokens: 90, output_tokens: 1 }, { output_tokens: 5 }] as const;
  const { outcome } = await runWith([{ content: [text('At noon.')], usages }]);
  expect(outcome).toMatchObject({ usage: { inputTokens: 92, outputTokens: 5, estimated: false } });
});

test.each([
  [
    'an overload inside the reply',
    { body: sseEvent({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }) },
  ],
  ['529', { status: 529, headers: { 'retry-after': '0' }, body: '{}' }],
  ['a connection that is cut', { content: [search], finishReason: null, done: false, end: 'reset' as const }],
])('%s is asked again, and nothing runs twice', async (_, answer) => {
  const { outcome, ran, server } = await runWith([answer, { content: [search] }, done]);
  expect(outcome).toMatchObject({ ok: true, answer: 'At noon.' });
  expect([ran, server.requests.length]).toEqual([[['search', { q: 'tide' }]], 3]);
});

test('a reply of 50 MB is cut, and the connection closed', async () => {
  const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'word '.repeat(10_000) } };
  const { model, server } = await serve([{ repeat: { text: sseEvent(delta), times: 1_000 } }, done]);
  const outcome = await createAgent({ model, dialect: 'native', sizes: { maxReplyTokens: 500 } }).run('Go on.');
  expect(outcome.steps[0]).toMatchObject({ violation: { code: 'too_long' } });
  expect(server.requests[0]?.closedEarly).toBe(true);
  expect(server.requests[0]?.bytesWritten).toBeLessThan(25_000_000);
});
