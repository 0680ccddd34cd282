/** Whole runs: in a text dialect and with the provider's own calls, through a fake model and a real provider package. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { MockLanguageModelV3 } from 'ai/test';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createAgent } from '../../src/agent.ts';
import type { Model } from '../../src/core/model.ts';
import { aiSdk } from '../../src/models/ai-sdk.ts';
import { tool } from '../../src/tool.ts';
import { type ServerScript, startOpenaiServer } from '../support/openai-server.ts';
import { call, delta, fakeModel, finishPart, streamOf, type Version, versions } from './ai-sdk-setup.ts';

const search = tool({
  description: 'Searches.',
  inputSchema: z.object({ q: z.string() }),
  readOnly: true,
  execute: ({ q }) => `found ${q}`,
});

const agentOf = (model: Model, dialect: 'labelled' | 'native') =>
  createAgent({ model, dialect, tools: { search }, modelRetries: 0 });

const labelled = [
  'Thought: I look.\nAction: search\nAction Input: {"q": "tide"}',
  'Thought: I know.\nFinal Answer: high',
];

/** Two replies, one after the other. */
function inTurn(version: Version, replies: readonly (readonly object[])[]) {
  let next = 0;
  return fakeModel(version, {
    stream: () => ({ stream: streamOf([...(replies[next++] ?? []), finishPart(version, 'stop')]) }),
  });
}

test.each(versions)('%s, labelled: a tool is called, and the answer is given', async (version) => {
  const fake = inTurn(
    version,
    labelled.map((text) => [...text].map((letter) => delta(letter))),
  );
  const outcome = await agentOf(aiSdk(fake), 'labelled').run('How is the tide?');
  expect(outcome).toMatchObject({
    ok: true,
    answer: 'high',
    usage: { inputTokens: 14, outputTokens: 6, estimated: false },
  });
  expect(JSON.stringify(fake.asked[1]?.options.prompt)).toContain('found tide');
});

test.each(versions)('%s, native: the call goes back with its result', async (version) => {
  const fake = inTurn(version, [[delta('I look.'), call('c1', 'search', '{"q":"tide"}')], [delta('high')]]);
  const outcome = await agentOf(aiSdk(fake), 'native').run('How is the tide?');
  expect(outcome).toMatchObject({ ok: true, answer: 'high' });
  expect(fake.asked[0]?.options.tools).toMatchObject([{ type: 'function', name: 'search' }]);
  const { prompt } = fake.asked[1]?.options ?? { prompt: [] };
  expect(Array.isArray(prompt) && prompt.slice(-2)).toMatchObject([
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool-call', toolName: 'search', input: { q: 'tide' } },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolName: 'search',
          output: { type: 'text', value: expect.stringContaining('found tide') },
        },
      ],
    },
  ]);
});

test('native: what the provider signed goes back with its message', async () => {
  const signed = { fake: { signature: 'abc' } };
  const reasoning = [
    { type: 'reasoning-delta', id: 'r', delta: 'I should look.' },
    { type: 'reasoning-end', id: 'r', providerMetadata: signed },
  ];
  const fake = inTurn('v3', [
    [...reasoning, delta('I look.'), call('c1', 'search', '{"q":"tide"}', { providerMetadata: signed })],
    [delta('high')],
  ]);
  expect(await agentOf(aiSdk(fake), 'native').run('How is the tide?')).toMatchObject({ ok: true, answer: 'high' });
  const { prompt } = fake.asked[1]?.options ?? { prompt: [] };
  expect(Array.isArray(prompt) && prompt.at(-2)).toMatchObject({
    content: [
      { type: 'reasoning', text: 'I should look.', providerOptions: signed },
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', toolName: 'search', providerOptions: signed },
    ],
  });
});

test('the dialect json asks for JSON', async () => {
  const fake = inTurn('v3', [[delta('{"thought": "I know.", "answer": "high"}')]]);
  const agent = createAgent({ model: aiSdk(fake), dialect: 'json', tools: { search }, modelRetries: 0 });
  expect(await agent.run('How is the tide?')).toMatchObject({ ok: true, answer: 'high' });
  expect(fake.asked[0]?.options.responseFormat).toEqual({ type: 'json' });
});

test('usage that is not there is estimated', async () => {
  const none = {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
    text: undefined,
    reasoning: undefined,
  };
  const mock = new MockLanguageModelV3({
    doGenerate: {
      content: [{ type: 'text', text: 'Final Answer: high' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: none, outputTokens: none },
      warnings: [],
    },
  });
  const outcome = await agentOf(aiSdk(mock, { stream: false }), 'labelled').run('How is the tide?');
  expect(outcome).toMatchObject({ ok: true, answer: 'high', usage: { estimated: true } });
  expect(outcome.usage.outputTokens).toBeGreaterThan(0);
});

async function compatible(script: ServerScript, { stream = true } = {}) {
  const server = await startOpenaiServer(script, 11);
  onTestFinished(() => server.close());
  const provider = createOpenAICompatible({
    name: 'local',
    baseURL: server.baseURL,
    apiKey: 'sk-local-1',
    includeUsage: true,
  });
  return { server, model: aiSdk(provider('test-model'), { stream }) };
}

const calling = { text: 'I look.', calls: [{ name: 'search', arguments: '{"q":"tide"}' }] };

test.each([true, false])('a real provider package over HTTP, native, stream %s', async (stream) => {
  const { server, model } = await compatible([calling, { text: 'high' }], { stream });
  expect(await agentOf(model, 'native').run('How is the tide?')).toMatchObject({ ok: true, answer: 'high' });
  expect(server.requests[1]?.body.messages).toMatchObject([
    {},
    { role: 'user' },
    { role: 'assistant', tool_calls: [{ function: { name: 'search', arguments: '{"q":"tide"}' } }] },
    { role: 'tool', content: expect.stringContaining('found tide') },
  ]);
});

test('a real provider package over HTTP, labelled: the stream is left at an invented observation', async () => {
  const text = `${labelled[0]}\nObservation: made up\nFinal Answer: low`;
  const { server, model } = await compatible([
    { text, finishReason: null, done: false, end: 'hang' },
    { text: labelled[1] ?? '' },
  ]);
  const outcome = await agentOf(model, 'labelled').run('How is the tide?');
  expect(outcome).toMatchObject({ ok: true, answer: 'high' });
  await server.requests[0]?.over;
  expect(server.requests[0]?.closedEarly).toBe(true);
});

test.each<[string, ServerScript, string]>([
  ['no rights', { status: 401, body: '{"error":{"message":"Wrong key."}}' }, 'answered 401: Wrong key.'],
  [
    'an error in the stream',
    { body: 'data: {"error":{"message":"Overloaded.","type":"server_error"}}\n\n' },
    'Overloaded.',
  ],
  ['a stream without an end', { text: 'Thought', finishReason: null, done: false }, 'broke off'],
])('a real provider package over HTTP: %s', async (_, script, message) => {
  const { model } = await compatible(script);
  const outcome = await agentOf(model, 'labelled').run('How is the tide?');
  expect(outcome).toMatchObject({ stopReason: 'model_error', error: { message: expect.stringContaining(message) } });
  expect(JSON.stringify(outcome)).not.toContain('sk-local-1');
});
