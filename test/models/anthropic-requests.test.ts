/** Requests of the loop, and the bodies that they become. */
import { describe, expect, test } from 'vitest';
import type { Message, MessageCall, ModelRequest } from '../../src/core/model.ts';
import type { AnthropicOptions } from '../../src/models/anthropic.ts';
import { requestIn, wireProblems } from '../support/anthropic-wire.ts';
import { apiKey, serve } from './anthropic-setup.ts';
import { collect, requestOf } from './asking.ts';

async function bodyOf(request: Partial<ModelRequest>, options: Partial<AnthropicOptions> = {}) {
  const { model, server } = await serve({}, { cacheControl: false, ...options });
  await collect(model.generate(requestOf(request)));
  const body = server.requests[0]?.body ?? {};
  expect(wireProblems(body)).toEqual([]);
  return requestIn(body);
}

const user = (content: string): Message => ({ role: 'user', content });
const system = (content: string): Message => ({ role: 'system', content });
const assistant = (content: string, ...calls: readonly MessageCall[]): Message => ({
  role: 'assistant',
  content,
  calls,
});
const called = (toolCallId: string, input: MessageCall['input'] = {}): MessageCall => ({
  toolCallId,
  tool: 'look',
  input,
});
const result = (toolCallId: string, content: string): Message => ({ role: 'tool', toolCallId, content });
const text = (text: string) => ({ type: 'text', text });
const use = (id: string, input: object = {}) => ({ type: 'tool_use', id, name: 'look', input });
const told = (tool_use_id: string, content: string) => ({ type: 'tool_result', tool_use_id, content });

test('what is sent', async () => {
  const { model, server } = await serve({}, { headers: { 'X-Team': 'orders' }, maxOutputTokens: 60, stream: false });
  const messages = [system('Be brief.'), user('Why?')];
  await collect(model.generate(requestOf({ messages, temperature: 0.5, maxOutputTokens: 77 })));
  expect(server.requests[0]).toMatchObject({
    path: '/v1/messages',
    headers: {
      'x-api-key': apiKey,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
      'x-team': 'orders',
    },
  });
  expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  expect(server.requests[0]?.body).toEqual({
    model: 'claude-test',
    max_tokens: 60,
    stop_sequences: ['Observation:'],
    temperature: 0.5,
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    messages: [{ role: 'user', content: [text('Why?')] }],
    stream: false,
  });
});

const conversations: readonly (readonly [string, readonly Message[], string | undefined, readonly object[]])[] = [
  ['a task', [user('Why?')], undefined, [[text('Why?')]]],
  ['a system text', [system('Be brief.'), user('Why?')], 'Be brief.', [[text('Why?')]]],
  [
    'several system texts',
    [system('One.'), user('Why?'), system(' '), system('Two.')],
    'One.\n\nTwo.',
    [[text('Why?')]],
  ],
  ['a system text of white space', [system(' \n'), user('Why?')], undefined, [[text('Why?')]]],
  [
    'the result of a call that did not succeed',
    [user('Why?'), assistant('', called('a')), { role: 'tool', toolCallId: 'a', content: 'no', isError: true }],
    undefined,
    [[text('Why?')], [use('a')], [{ ...told('a', 'no'), is_error: true }]],
  ],
  ['users in a row', [user('Why?'), user('And who?')], undefined, [[text('Why?'), text('And who?')]]],
  [
    'white space around what the model said',
    [user('Why?'), assistant('\nBecause. \n\t'), user('So?')],
    undefined,
    [[text('Why?')], [text('Because.')], [text('So?')]],
  ],
  [
    'texts without words',
    [user(''), assistant(' \n'), user('\t')],
    undefined,
    [[text('(no text)')], [text('(no text)')], [text('(no text)')]],
  ],
  [
    'an assistant first',
    [assistant('Hi.'), user('Why?')],
    undefined,
    [[text('(no text)')], [text('Hi.')], [text('Why?')]],
  ],
  [
    'calls and results',
    [user('Why?'), assistant('I look.', called('a', { at: [1] }), called('b')), result('a', 'x'), result('b', 'y')],
    undefined,
    [[text('Why?')], [text('I look.'), use('a', { at: [1] }), use('b')], [told('a', 'x'), told('b', 'y')]],
  ],
  [
    'a text behind results',
    [user('Why?'), assistant('', called('a')), result('a', 'x'), user('Hurry.')],
    undefined,
    [[text('Why?')], [use('a')], [told('a', 'x'), text('Hurry.')]],
  ],
  [
    'inputs that are no object',
    [
      user('Why?'),
      assistant('', called('a', null), called('b', 'tide'), called('c', [1])),
      result('a', ''),
      result('b', 'y'),
      result('c', ' '),
    ],
    undefined,
    [
      [text('Why?')],
      [use('a'), use('b', { input: 'tide' }), use('c', { input: [1] })],
      [told('a', '(no result)'), told('b', 'y'), told('c', ' ')],
    ],
  ],
  ['half a character', [user('a\ud83d and 🙂')], undefined, [[text('a\ufffd and 🙂')]]],
];

test.each(conversations)('messages: %s', async (_, messages, systemText, turns) => {
  const body = await bodyOf({ messages });
  expect(body.system).toBe(systemText);
  expect(body.messages.map(({ content }) => content)).toEqual(turns);
});

const parameters: readonly (readonly [string, Partial<ModelRequest>, Partial<AnthropicOptions>, object])[] = [
  [
    'stops of white space are left out',
    { stop: ['\n', 'Observation:', ' \t'] },
    {},
    { stop_sequences: ['Observation:'] },
  ],
  ['no stops', { stop: [] }, {}, { stop_sequences: undefined }],
  ['only stops of white space', { stop: ['\n'] }, {}, { stop_sequences: undefined }],
  ['a temperature above 1', { temperature: 1.7 }, {}, { temperature: 1 }],
  ['max_tokens of the request', { maxOutputTokens: 50 }, { maxOutputTokens: 60 }, { max_tokens: 50 }],
  ['max_tokens of the model', { maxOutputTokens: 70 }, { maxOutputTokens: 60 }, { max_tokens: 60 }],
  [
    'thinking with a budget',
    { maxOutputTokens: 9_000 },
    { thinking: { budgetTokens: 2_000 } },
    { thinking: { type: 'enabled', budget_tokens: 2_000 }, max_tokens: 9_000, temperature: undefined },
  ],
  [
    'a budget that leaves room for the reply',
    { maxOutputTokens: 4_096 },
    { thinking: { budgetTokens: 8_000 } },
    { thinking: { type: 'enabled', budget_tokens: 3_072 }, max_tokens: 4_096 },
  ],
  [
    'too little room to think',
    { maxOutputTokens: 2_047 },
    { thinking: { budgetTokens: 8_000 } },
    { thinking: undefined, temperature: 0, max_tokens: 2_047 },
  ],
  [
    'adaptive thinking',
    {},
    { thinking: { adaptive: true } },
    { thinking: { type: 'adaptive' }, output_config: undefined, temperature: undefined },
  ],
  [
    'adaptive thinking, with its effort',
    {},
    { thinking: { adaptive: true, effort: 'low', display: 'summarized' } },
    { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } },
  ],
  ['JSON alone: there is no mode for it', { json: true }, {}, { stop_sequences: ['Observation:'] }],
];

test.each(parameters)('%s', async (_, request, options, expected) => {
  const body = new Map(Object.entries(await bodyOf(request, options)));
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, body.get(name)]))).toEqual(expected);
});

const tools: readonly (readonly [string, NonNullable<ModelRequest['tools']>[number], object])[] = [
  [
    'a schema',
    { name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: { at: {} }, required: ['at'] } },
    { name: 'look', description: 'Looks.', input_schema: { type: 'object', properties: { at: {} }, required: ['at'] } },
  ],
  [
    'no schema',
    { name: 'look', description: '', inputSchema: null },
    { name: 'look', input_schema: { type: 'object', properties: {} } },
  ],
  [
    'a schema without a type',
    { name: 'look', description: 'Looks.', inputSchema: { properties: { at: {} } } },
    { name: 'look', description: 'Looks.', input_schema: { type: 'object', properties: { at: {} } } },
  ],
  [
    'alternatives, which the API refuses',
    { name: 'look', description: 'Looks.', inputSchema: { anyOf: [{ type: 'object' }] } },
    {
      name: 'look',
      description: 'Looks.\n\nJSON Schema of the input: {"anyOf":[{"type":"object"}]}',
      input_schema: { type: 'object', additionalProperties: true },
    },
  ],
];

test.each(tools)('a tool with %s', async (_, tool, expected) => {
  expect((await bodyOf({ tools: [tool] })).tools).toEqual([expected]);
});

describe('marks for the cache', () => {
  const step = (id: string) => [assistant('', called(id)), result(id, id)];
  const tool = { name: 'look', description: '', inputSchema: null };
  /** What each mark stands at the end of. */
  async function marked(messages: readonly Message[], options: Partial<AnthropicOptions> = {}) {
    const body = await bodyOf(
      { messages, tools: [tool, { ...tool, name: 'find' }] },
      { cacheControl: true, ...options },
    );
    const places = (list: readonly object[]) => list.flatMap((item, at) => ('cache_control' in item ? [at] : []));
    return {
      system: typeof body.system === 'object' ? places(body.system) : [],
      tools: places(body.tools ?? []),
      turns: body.messages.flatMap(({ content }, at) => places(content).map((place) => [at, place])),
    };
  }

  test.each([
    ['the first request', [user('Why?')], []],
    ['the second', [user('Why?'), ...step('a')], [[1, 0]]],
    [
      'the third',
      [user('Why?'), ...step('a'), ...step('b')],
      [
        [1, 0],
        [3, 0],
      ],
    ],
    [
      'the fourth',
      [user('Why?'), ...step('a'), ...step('b'), ...step('c')],
      [
        [3, 0],
        [5, 0],
      ],
    ],
    [
      'the end of a message',
      [user('Why?'), assistant('I look.', called('a'), called('b')), result('a', '1'), result('b', '2')],
      [[1, 2]],
    ],
  ])('%s', async (_, messages, turns) => {
    expect(await marked([system('Be brief.'), ...messages])).toEqual({ system: [0], tools: [1], turns });
  });

  test('none of thinking', async () => {
    const { model, server } = await serve([
      {
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'thinking', thinking: 'hm', signature: 's' },
        ],
      },
      {},
    ]);
    const end = (await collect(model.generate(requestOf()))).at(-1);
    const providerData = end?.type === 'end' ? (end.providerData ?? null) : null;
    const said: Message = { role: 'assistant', content: 'I look.', providerData };
    await collect(model.generate(requestOf({ messages: [user('Why?'), said, user('So?')] })));
    expect(requestIn(server.requests[1]?.body).messages[1]?.content).toEqual([
      { type: 'text', text: 'I look.', cache_control: { type: 'ephemeral' } },
      { type: 'thinking', thinking: 'hm', signature: 's' },
    ]);
  });

  test('none where it is switched off', async () => {
    const none = { system: [], tools: [], turns: [] };
    expect(await marked([system('Be brief.'), user('Why?'), ...step('a')], { cacheControl: false })).toEqual(none);
  });
});
