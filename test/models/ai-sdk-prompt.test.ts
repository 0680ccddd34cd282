/** What a model of the AI SDK is sent: messages, tools and settings, and what it wants back with its own replies. */
import { expect, test } from 'vitest';
import type { JsonValue } from '../../src/core/json.ts';
import type { Message, ModelEnd, ModelRequest } from '../../src/core/model.ts';
import { aiSdk } from '../../src/models/ai-sdk.ts';
import {
  call,
  delta,
  fakeModel,
  type Part,
  stop,
  streaming,
  streamOf,
  type Version,
  versions,
} from './ai-sdk-setup.ts';
import { collect, lastOf, requestOf } from './asking.ts';

/** The options of one call, without the signal. */
async function sent(request: Partial<ModelRequest>, version: Version = 'v3', given: Parameters<typeof aiSdk>[1] = {}) {
  const model = streaming([stop], version);
  await collect(aiSdk(model, given).generate(requestOf(request)));
  const [asked] = model.asked;
  if (asked === undefined) throw new Error('The model was not asked.');
  const { abortSignal: _, ...options } = asked.options;
  return options;
}

const user = (text: string): Message => ({ role: 'user', content: text });
const text = (said: string) => ({ type: 'text', text: said });
const conversation: readonly Message[] = [
  { role: 'system', content: 'Be brief.' },
  user('Why?'),
  {
    role: 'assistant',
    content: 'I look.',
    calls: [
      { toolCallId: 'aaaaaaaaa', tool: 'search', input: { q: 'x' } },
      { toolCallId: 'bbbbbbbbb', tool: 'now', input: null },
      { toolCallId: 'ccccccccc', tool: 'search', input: 'x' },
    ],
  },
  { role: 'tool', content: 'found', toolCallId: 'aaaaaaaaa' },
  { role: 'tool', content: 'noon', toolCallId: 'bbbbbbbbb' },
  { role: 'tool', content: 'no object', toolCallId: 'ccccccccc' },
  { role: 'assistant', content: 'So it is.' },
  user('Go on.'),
  { role: 'assistant', content: '', calls: [{ toolCallId: 'ddddddddd', tool: 'now', input: {} }] },
  { role: 'tool', content: 'one', toolCallId: 'ddddddddd' },
];
const result = (toolCallId: string, toolName: string, value: string) => ({
  type: 'tool-result',
  toolCallId,
  toolName,
  output: { type: 'text', value },
});

test.each(versions)('%s: messages, calls and results', async (version) => {
  expect((await sent({ messages: conversation }, version)).prompt).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [text('Why?')] },
    {
      role: 'assistant',
      content: [
        text('I look.'),
        { type: 'tool-call', toolCallId: 'aaaaaaaaa', toolName: 'search', input: { q: 'x' } },
        { type: 'tool-call', toolCallId: 'bbbbbbbbb', toolName: 'now', input: {} },
        { type: 'tool-call', toolCallId: 'ccccccccc', toolName: 'search', input: { input: 'x' } },
      ],
    },
    {
      role: 'tool',
      content: [
        result('aaaaaaaaa', 'search', 'found'),
        result('bbbbbbbbb', 'now', 'noon'),
        result('ccccccccc', 'search', 'no object'),
      ],
    },
    { role: 'assistant', content: [text('So it is.')] },
    { role: 'user', content: [text('Go on.')] },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'ddddddddd', toolName: 'now', input: {} }] },
    { role: 'tool', content: [result('ddddddddd', 'now', 'one')] },
  ]);
});

const prompt = [{ role: 'user', content: [text('Why do orders fail?')] }];
const plain = { prompt, maxOutputTokens: 100, temperature: 0, stopSequences: ['Observation:'] };
const schema = { type: 'object', properties: { q: { type: 'string' } } };

const settings: readonly (readonly [string, Partial<ModelRequest>, Parameters<typeof aiSdk>[1], object])[] = [
  ['the usual', {}, {}, plain],
  ['no stop sequences', { stop: [] }, {}, { prompt, maxOutputTokens: 100, temperature: 0 }],
  ['JSON', { json: true }, {}, { ...plain, responseFormat: { type: 'json' } }],
  [
    'options of the provider',
    {},
    { providerOptions: { fake: { thinking: true } } },
    { ...plain, providerOptions: { fake: { thinking: true } } },
  ],
  ['no tools', { tools: [] }, {}, plain],
  [
    'tools',
    {
      tools: [
        { name: 'search', description: 'Searches.', inputSchema: schema },
        { name: 'now', description: '', inputSchema: null },
      ],
    },
    {},
    {
      ...plain,
      tools: [
        { type: 'function', name: 'search', description: 'Searches.', inputSchema: schema },
        { type: 'function', name: 'now', inputSchema: { type: 'object', properties: {} } },
      ],
      toolChoice: { type: 'auto' },
    },
  ],
];

test.each(settings)('settings: %s', async (_, request, given, expected) => {
  expect(await sent(request, 'v4', given)).toEqual(expected);
});

test('the signal of the model is aborted by that of the request, and not after a good end', async () => {
  const controller = new AbortController();
  const hanging = fakeModel('v3', { stream: () => ({ stream: streamOf([delta('a')], { end: 'hang' }) }) });
  const reply = aiSdk(hanging)
    .generate(requestOf({ signal: controller.signal }))
    [Symbol.asyncIterator]();
  await reply.next();
  controller.abort('enough');
  expect(hanging.asked[0]?.options.abortSignal).toMatchObject({ aborted: true, reason: 'enough' });
  expect((await reply.next()).value).toMatchObject({ type: 'failed', failure: 'aborted' });
  const ending = streaming([delta('a'), stop]);
  await collect(aiSdk(ending).generate(requestOf()));
  expect(ending.asked[0]?.options.abortSignal.aborted).toBe(false);
});

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
  const { prompt: all } = await sent({ messages: [user('Why?'), own] });
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
  expect((await sent({ messages: [own] })).prompt).toEqual([{ role: 'assistant', content: [text('So.')] }]);
});

test('metadata that is no JSON is made JSON, and only one with members counts', async () => {
  const circular: { self?: unknown; at: Date } = { at: new Date(0) };
  circular.self = circular;
  const data = await dataOf([...reasoning('r', 'hm', { fake: circular }), ...reasoning('s', 'so', {}), delta('a')]);
  const kept: ModelEnd['providerData'] = data;
  expect(kept).toMatchObject({ reasoning: [{ text: 'hm', metadata: { fake: { at: '1970-01-01T00:00:00.000Z' } } }] });
  expect(Object(kept).reasoning).toHaveLength(1);
});
