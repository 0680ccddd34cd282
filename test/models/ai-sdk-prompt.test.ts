/** What a model of the AI SDK is sent: messages, tools and settings. */
import { expect, test } from 'vitest';
import type { Message, ModelRequest } from '../../src/core/model.ts';
import { aiSdk } from '../../src/models/ai-sdk.ts';
import { delta, fakeModel, stop, streaming, streamOf, type Version, versions } from './ai-sdk-setup.ts';
import { collect, requestOf } from './asking.ts';

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
  { role: 'tool', content: 'no object', toolCallId: 'ccccccccc', isError: true },
  { role: 'assistant', content: 'So it is.' },
  user('Go on.'),
  { role: 'assistant', content: '', calls: [{ toolCallId: 'ddddddddd', tool: 'now', input: {} }] },
  { role: 'tool', content: 'one', toolCallId: 'ddddddddd' },
];
const result = (toolCallId: string, toolName: string, value: string, type = 'text') => ({
  type: 'tool-result',
  toolCallId,
  toolName,
  output: { type, value },
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
        result('ccccccccc', 'search', 'no object', 'error-text'),
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
