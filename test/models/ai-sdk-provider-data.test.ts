/** What a provider wants back with its own replies: reasoning that it signed, and the marks of texts and calls. */
import { expect, test } from 'vitest';
import type { JsonValue } from '../../src/core/json.ts';
import type { Message, ModelEnd } from '../../src/core/model.ts';
import { aiSdk } from '../../src/models/ai-sdk.ts';
import { call, delta, type Part, stop, streaming } from './ai-sdk-setup.ts';
import { collect, lastOf, requestOf } from './asking.ts';

const text = (said: string) => ({ type: 'text', text: said });
const user: Message = { role: 'user', content: 'Why?' };

async function promptFor(messages: readonly Message[]): Promise<unknown> {
  const model = streaming([stop]);
  await collect(aiSdk(model).generate(requestOf({ messages })));
  return model.asked[0]?.options.prompt;
}

const reasoning = (id: string, said: string, metadata?: object): readonly Part[] => [
  { type: 'reasoning-start', id },
  { type: 'reasoning-delta', id, delta: said },
  { type: 'reasoning-end', id, ...(metadata && { providerMetadata: metadata }) },
];
const signed = { fake: { signature: 'abc' } };
const search = call('c1', 'search', '{"q":"x"}');
const searching = { toolCallId: 'aaaaaaaaa', tool: 'search', input: { q: 'x' } };
const callPart = { type: 'tool-call', toolCallId: 'aaaaaaaaa', toolName: 'search', input: { q: 'x' } };

async function dataOf(parts: readonly unknown[]): Promise<JsonValue | undefined> {
  const last = lastOf(await collect(aiSdk(streaming([...parts, stop])).generate(requestOf())));
  if (last?.type !== 'end') throw new Error(`The reply ended with ${JSON.stringify(last)}.`);
  // As it would come out of a snapshot.
  return last.providerData === undefined ? undefined : JSON.parse(JSON.stringify(last.providerData));
}

type Assistant = Extract<Message, { role: 'assistant' }>;

async function givenBack(
  parts: readonly unknown[],
  message: Omit<Assistant, 'role' | 'providerData'>,
): Promise<unknown> {
  const providerData = await dataOf(parts);
  const own: Message = { role: 'assistant', ...message, ...(providerData === undefined ? {} : { providerData }) };
  const all = await promptFor([user, own]);
  return Array.isArray(all) ? all[1].content : all;
}

const back: readonly (readonly [
  string,
  readonly unknown[],
  Omit<Assistant, 'role' | 'providerData'>,
  readonly unknown[],
])[] = [
  [
    'signed reasoning before a text',
    [...reasoning('r', 'hm', signed), delta('\nSo.')],
    { content: 'So.' },
    [{ type: 'reasoning', text: 'hm', providerOptions: signed }, text('So.')],
  ],
  [
    'the last word of a block',
    [
      { type: 'reasoning-start', id: 'r', providerMetadata: { fake: { itemId: '1' } } },
      { type: 'reasoning-delta', id: 'r', delta: '', providerMetadata: signed },
    ],
    { content: '' },
    [{ type: 'reasoning', text: '', providerOptions: signed }],
  ],
  [
    'reasoning between texts, in blocks that share an id',
    [...reasoning('r', 'one', signed), delta('ab'), ...reasoning('r', 'two', signed), delta('cd')],
    { content: 'abcd' },
    [
      { type: 'reasoning', text: 'one', providerOptions: signed },
      text('ab'),
      { type: 'reasoning', text: 'two', providerOptions: signed },
      text('cd'),
    ],
  ],
  [
    'reasoning that nobody signed, before a text',
    [...reasoning('r', 'hm'), delta('So.')],
    { content: 'So.' },
    [text('So.')],
  ],
  [
    'reasoning that nobody signed, before a call',
    [...reasoning('r', 'hm'), search],
    { content: '', calls: [searching] },
    [{ type: 'reasoning', text: 'hm' }, callPart],
  ],
  [
    'reasoning between calls',
    [search, ...reasoning('r', 'hm', signed), call('c2', 'search', '{}')],
    { content: '', calls: [searching, { ...searching, toolCallId: 'bbbbbbbbb' }] },
    [callPart, { type: 'reasoning', text: 'hm', providerOptions: signed }, { ...callPart, toolCallId: 'bbbbbbbbb' }],
  ],
  [
    'signed reasoning before a text that was cut',
    [...reasoning('r', 'hm', signed), delta('Thought: a\nObservation: made up')],
    { content: 'Thought: a' },
    [text('Thought: a')],
  ],
  [
    'signed reasoning before a cut text with a call',
    [...reasoning('r', 'hm', signed), delta('a and b'), search],
    { content: 'a', calls: [searching] },
    [{ type: 'reasoning', text: 'hm', providerOptions: signed }, text('a'), callPart],
  ],
  [
    'a signed call',
    [call('c1', 'search', '{"q":"x"}', { providerMetadata: signed })],
    { content: '', calls: [searching] },
    [{ ...callPart, providerOptions: signed }],
  ],
  [
    'a signed call that is not in the message',
    [call('c1', 'search', '{}', { providerMetadata: signed }), call('c2', 'other', '{}')],
    { content: '', calls: [searching] },
    [callPart],
  ],
  [
    'a text with an id',
    [{ type: 'text-start', id: '0', providerMetadata: signed }, delta('So.')],
    { content: 'So.' },
    [{ ...text('So.'), providerOptions: signed }],
  ],
  ['nothing to give back', [delta('So.')], { content: 'So.' }, [text('So.')]],
];

test.each(back)('given back: %s', async (_, parts, message, expected) => {
  expect(await givenBack(parts, message)).toEqual(expected);
});

test.each<[string, (data: JsonValue) => JsonValue]>([
  ['of another model', (data) => ({ ...Object(data), origin: 'fake.chat/fake-2' })],
  ['of another adapter', (data) => ({ ...Object(data), adapter: 'anthropic' })],
  ['of another form', (data) => ({ ...Object(data), reasoning: [{ text: 7 }] })],
  ['that is none', () => null],
])('data %s is ignored', async (_, change) => {
  const data = await dataOf([...reasoning('r', 'hm', signed), delta('So.')]);
  const own: Message = { role: 'assistant', content: 'So.', providerData: change(data ?? null) };
  expect(await promptFor([own])).toEqual([{ role: 'assistant', content: [text('So.')] }]);
});

test('metadata that is no JSON is made JSON, and only one with members counts', async () => {
  const circular: { self?: unknown; at: Date } = { at: new Date(0) };
  circular.self = circular;
  const data = await dataOf([...reasoning('r', 'hm', { fake: circular }), ...reasoning('s', 'so', {}), delta('a')]);
  const kept: ModelEnd['providerData'] = data;
  expect(kept).toMatchObject({ reasoning: [{ text: 'hm', metadata: { fake: { at: '1970-01-01T00:00:00.000Z' } } }] });
  expect(Object(kept).reasoning).toHaveLength(1);
});
