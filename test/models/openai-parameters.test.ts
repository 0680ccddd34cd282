import { expect, test } from 'vitest';
import type { RequestBody, ServerAnswer } from '../support/openai-server.ts';
import { collect, lastOf, requestOf, textOf } from './asking.ts';
import { apiKey, serve } from './openai-setup.ts';

test('what is sent', async () => {
  const { model, server } = await serve({ text: 'Hi' }, { headers: { 'X-Team': 'orders' } });
  const request = requestOf({ temperature: 0.5, maxOutputTokens: 77 });
  await collect(model.generate(request));
  expect(server.requests[0]).toMatchObject({
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'x-team': 'orders' },
  });
  expect(server.requests[0]?.body).toEqual({
    model: 'test-model',
    messages: request.messages,
    stop: ['Observation:'],
    temperature: 0.5,
    max_tokens: 77,
    stream: true,
    stream_options: { include_usage: true },
  });
});

test.each([
  ['not streaming', { stream: false }, {}, ['max_tokens', 'messages', 'model', 'stop', 'stream', 'temperature']],
  ['no stops', { stream: false }, { stop: [] }, ['max_tokens', 'messages', 'model', 'stream', 'temperature']],
  [
    'stops switched off',
    { stream: false, stopParameter: false as const },
    {},
    ['max_tokens', 'messages', 'model', 'stream', 'temperature'],
  ],
  [
    'stops renamed',
    { stream: false, stopParameter: 'stop_sequences' },
    {},
    ['max_tokens', 'messages', 'model', 'stop_sequences', 'stream', 'temperature'],
  ],
])('the members of the body: %s', async (_, options, request, members) => {
  const { model, server } = await serve({ text: 'Hi' }, options);
  await collect(model.generate(requestOf(request)));
  expect(Object.keys(server.requests[0]?.body ?? {}).sort()).toEqual(members);
});

const openaiForm = (param: string, message: string) => JSON.stringify({ error: { message, param } });
const fastApiForm = (name: string) =>
  JSON.stringify({ detail: [{ type: 'extra_forbidden', loc: ['body', name], msg: 'Extra inputs are not permitted' }] });

/** How servers refuse a parameter by its name. */
const refusals: readonly (readonly [string, number, string])[] = [
  ['stop', 400, openaiForm('stop', "Unsupported parameter: 'stop' is not supported with this model.")],
  ['stop', 400, '{"error":"Argument not supported on this model: stop"}'],
  ['stop', 422, fastApiForm('stop')],
  ['temperature', 400, openaiForm('temperature', 'Only the default (1) value is supported.')],
  ['max_tokens', 400, openaiForm('max_tokens', "Unsupported parameter: use 'max_completion_tokens' instead.")],
  ['stream_options', 400, '{"error":{"message":"Unrecognized request argument supplied: stream_options"}}'],
  ['stream_options', 422, fastApiForm('stream_options')],
];

test.each(refusals)('%s, refused with %i %s', async (name, status, body) => {
  const refuse = (asked: RequestBody): ServerAnswer => (name in asked ? { status, body } : { text: 'Hi' });
  const { model, server } = await serve(refuse);
  expect(textOf(await collect(model.generate(requestOf())))).toBe('Hi');
  expect(textOf(await collect(model.generate(requestOf())))).toBe('Hi');
  // Refused once, sent again once, and then remembered.
  expect(server.requests.map((request) => name in request.body)).toEqual([true, false, false]);
  expect(server.requests[1]?.body.max_completion_tokens).toBe(name === 'max_tokens' ? 100 : undefined);
  expect(server.sockets.made).toBe(1);
});

test('a server that refuses everything is asked once for each parameter', async () => {
  const names = ['stop', 'temperature', 'max_tokens', 'stream_options', 'max_completion_tokens'];
  const { model, server } = await serve((body) => ({
    status: 400,
    body: openaiForm(names.find((name) => name in body) ?? 'messages', 'Unsupported.'),
  }));
  const last = lastOf(await collect(model.generate(requestOf())));
  expect(last).toMatchObject({ type: 'failed', failure: 'refused' });
  expect(server.requests).toHaveLength(5);
});

test('two replies at once that are refused the same parameter both go on', async () => {
  const refuse = (asked: RequestBody): ServerAnswer =>
    'stop' in asked ? { status: 400, body: openaiForm('stop', 'no') } : { text: 'Hi' };
  const { model } = await serve(refuse);
  const both = await Promise.all([1, 2].map((step) => collect(model.generate(requestOf({ step })))));
  expect(both.map((events) => textOf(events))).toEqual(['Hi', 'Hi']);
});

test.each([
  ['another parameter', 400, openaiForm('messages', 'Unsupported: stop the conversation.')],
  ['a number that is too large', 400, openaiForm('max_tokens', 'max_tokens is too large: at most 50.')],
  [
    'a name in passing',
    400,
    '{"error":{"message":"This model stops at 8192; reduce max_tokens, temperature or stop."}}',
  ],
  ['another status', 500, openaiForm('stop', 'Unsupported.')],
])('not a refusal of a parameter: %s', async (_, status, body) => {
  const { model, server } = await serve({ status, body });
  expect(lastOf(await collect(model.generate(requestOf())))).toMatchObject({ type: 'failed', failure: 'refused' });
  expect(server.requests).toHaveLength(1);
});
