/** Thinking that the API signed is given back as it was, where it was, and only to whom it belongs. */
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../src/core/json.ts';
import type { Message, MessageCall } from '../../src/core/model.ts';
import type { AnthropicOptions } from '../../src/models/anthropic.ts';
import type { AnthropicAnswer, Content } from '../support/anthropic-server.ts';
import { requestIn } from '../support/anthropic-wire.ts';
import { call, hidden, serve, text, thought } from './anthropic-setup.ts';
import { collect, requestOf, textOf } from './asking.ts';

const budget = { thinking: { budgetTokens: 2_000 }, cacheControl: false } as const;

const user = (content: string): Message => ({ role: 'user', content });
const called = (id: string): MessageCall => ({ toolCallId: id, tool: 'f', input: {} });
const said = (content: string, calls: readonly MessageCall[], providerData?: JsonValue): Message => ({
  role: 'assistant',
  content,
  calls,
  ...(providerData === undefined ? {} : { providerData }),
});
const result = (toolCallId: string): Message => ({ role: 'tool', toolCallId, content: 'done' });
const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} });

/** What a reply with this content leaves for the next request. */
async function dataOf(content: readonly Content[], options: Partial<AnthropicOptions> = budget, finishReason?: string) {
  const { model } = await serve({ content, ...(finishReason === undefined ? {} : { finishReason }) }, options);
  const events = await collect(model.generate(requestOf({ maxOutputTokens: 9_000 })));
  const end = events.at(-1);
  return { said: textOf(events), data: end?.type === 'end' ? end.providerData : undefined };
}

async function sentWith(
  messages: readonly Message[],
  options: Partial<AnthropicOptions> = budget,
  answer: AnthropicAnswer = {},
) {
  const { model, server } = await serve(answer, options);
  await collect(model.generate(requestOf({ messages, maxOutputTokens: 9_000 })));
  return server.requests.map(({ body }) => requestIn(body));
}

const hm = thought('hm');
const aha = thought('aha', 'sig==');
const secret = hidden('AbC=');
const f = call('f', '');

const places: readonly (readonly [string, readonly Content[], string, readonly MessageCall[], readonly object[]])[] = [
  ['before all', [hm, text('I look.'), f], 'I look.', [called('a')], [hm, text('I look.'), use('a')]],
  ['hidden, and shown', [secret, hm, f], '', [called('a')], [secret, hm, use('a')]],
  ['without a text of its own', [thought('', 'sig'), f], '', [called('a')], [thought('', 'sig'), use('a')]],
  [
    'between texts and calls',
    [hm, text('\n One. '), aha, text('Two.\n'), f, secret, f],
    'One. Two.',
    [called('a'), called('b')],
    [hm, text('One. '), aha, text('Two.'), use('a'), secret, use('b')],
  ],
  [
    'first, where the text is another by now',
    [text('One.'), hm, text('Two.'), f],
    'Two.',
    [called('a')],
    [hm, text('Two.'), use('a')],
  ],
  ['alone', [hm], '', [], [hm, text('(no text)')]],
];

describe.each([true, false])('stream: %s', (stream) => {
  test.each(places)('%s', async (_, content, words, calls, expected) => {
    const { data } = await dataOf(content, { ...budget, stream });
    const results = calls.map(({ toolCallId }) => result(toolCallId));
    const messages = [user('Why?'), said(words, calls, data), ...(results.length > 0 ? results : [user('So?')])];
    const [body] = await sentWith(messages);
    expect(body?.messages[1]?.content).toEqual(expected);
    expect(body?.thinking).toEqual({ type: 'enabled', budget_tokens: 2_000 });
  });
});

test('nothing is left where nothing was signed', async () => {
  expect((await dataOf([text('Hi')])).data).toBeUndefined();
  expect((await dataOf([thought('hm', '')], budget, 'max_tokens')).data).toBeUndefined();
});

test('what is given back is plain data', async () => {
  const { data } = await dataOf([hm, text('Hi')]);
  expect(JSON.parse(JSON.stringify(data))).toEqual(data);
});

const ours = { adapter: 'anthropic', model: 'claude-test', textLength: 0 };
const placed = { block: hm, textBefore: 0, callsBefore: 0 };

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'thinking'],
  ['that of another adapter', { ...ours, adapter: 'openai', blocks: [placed] }],
  ['that of another model', { ...ours, model: 'claude-other', blocks: [placed] }],
  ['no list', { ...ours, blocks: { 0: placed } }],
  ['an empty list', { ...ours, blocks: [] }],
  ['a block of another type', { ...ours, blocks: [{ ...placed, block: { type: 'text', text: 'x' } }] }],
  ['a block without its signature', { ...ours, blocks: [{ ...placed, block: { type: 'thinking', thinking: 'x' } }] }],
  ['a block without its place', { ...ours, blocks: [{ block: hm }] }],
])('foreign data is passed over, and the request goes without thinking: %s', async (_, data) => {
  const [body] = await sentWith([user('Why?'), said('I look.', [called('a')], data), result('a')]);
  expect(body?.messages[1]?.content).toEqual([text('I look.'), use('a')]);
  expect([body?.thinking, body?.temperature]).toEqual([undefined, 0]);
});

describe('a turn that must begin with thinking', () => {
  const data: JsonValue = {
    ...ours,
    blocks: [{ block: { type: 'thinking', thinking: 'hm', signature: 's' }, textBefore: 0, callsBefore: 0 }],
  };
  const on = { type: 'enabled', budget_tokens: 2_000 };
  const first = (given?: JsonValue) => [user('Why?'), said('', [called('a')], given), result('a')];
  const rows: readonly (readonly [string, readonly Message[], object | undefined, number])[] = [
    ['a task', [user('Why?')], on, 0],
    ['the first call was thought of', first(data), on, 1],
    ['a later one was not', [...first(data), said('', [called('b')]), result('b')], on, 1],
    ['only a later one was: all is left out', [...first(), said('', [called('b')], data), result('b')], undefined, 0],
    ['a text of the user begins another turn', [...first(), said('No.', []), user('So?')], on, 0],
    ['and what came before it stays', [...first(data), said('No.', []), user('So?')], on, 1],
    ['a text behind results does not', [...first(), user('Hurry.')], undefined, 0],
  ];

  test.each(rows)('%s', async (_, messages, thinking, blocks) => {
    const [body] = await sentWith(messages);
    expect(body?.thinking).toEqual(thinking);
    const all = body?.messages.flatMap(({ content }) => content) ?? [];
    expect(all.filter(({ type }) => type === 'thinking')).toHaveLength(blocks);
  });

  test('adaptive thinking asks for no such beginning', async () => {
    const [body] = await sentWith(first(), { thinking: { adaptive: true } });
    expect(body?.thinking).toEqual({ type: 'adaptive' });
  });

  test('a model that thinks unasked has it back all the same', async () => {
    const [body] = await sentWith(first(data), { cacheControl: false });
    expect(body?.messages[1]?.content[0]?.type).toBe('thinking');
  });

  test.each([
    'messages.1.content.0: Invalid `signature` in `thinking` block',
    'messages.1.content.0: `thinking` blocks in the latest assistant message cannot be modified.',
  ])('thinking that the API does not take back is left out, once: %s', async (message) => {
    const answer = {
      status: 400,
      body: JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }),
    };
    const bodies = await sentWith(first(data), budget, answer);
    expect(bodies.map((body) => [body.thinking, body.messages[1]?.content.length])).toEqual([
      [on, 2],
      [undefined, 1],
    ]);
  });
});
