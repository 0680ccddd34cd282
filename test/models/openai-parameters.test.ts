import { expect, test } from 'vitest';
import { createAgent } from '../../src/agent.ts';
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

const asJson = { json: true, messages: [{ role: 'user', content: 'Answer as JSON.' }] } as const;

test.each([
  ['asked for', {}, asJson, true],
  ['switched off', { jsonMode: false }, asJson, false],
  ['no message speaks of it', {}, { ...asJson, messages: [{ role: 'user', content: 'Answer.' }] } as const, false],
  ['another dialect', {}, { messages: asJson.messages }, false],
])('JSON mode: %s', async (_, options, request, isSent) => {
  const { model, server } = await serve({ text: '{}' }, options);
  await collect(model.generate(requestOf(request)));
  expect(server.requests[0]?.body.response_format).toEqual(isSent ? { type: 'json_object' } : undefined);
});

test('a run in the dialect json asks for JSON mode, a run in another one does not', async () => {
  for (const dialect of ['json', 'labelled'] as const) {
    const { model, server } = await serve({ text: '{"answer": "42"}' });
    await createAgent({ model, dialect, budget: { maxSteps: 1 } }).run('x');
    expect(server.requests[0]?.body.response_format !== undefined).toBe(dialect === 'json');
  }
});

const object = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
});
const closed = { additionalProperties: false };
const text = { type: 'string' };

/** A schema, and what it becomes; null where it is sent as it is, without `strict`. */
const schemas: readonly (readonly [string, object, object | null])[] = [
  ['all required', object({ q: text }, closed), object({ q: text }, closed)],
  ['open, but silent about that', object({ q: text }), object({ q: text }, closed)],
  ['with its version', object({}, { $schema: 'x', ...closed }), object({}, closed)],
  ['no members', { type: 'object' }, object({}, closed)],
  [
    'nested',
    object({ a: { type: 'array', items: object({ b: text }) } }),
    object({ a: { type: 'array', items: object({ b: text }, closed) } }, closed),
  ],
  [
    'a choice',
    object({ a: { anyOf: [text, { type: 'null' }] } }),
    object({ a: { anyOf: [text, { type: 'null' }] } }, closed),
  ],
  [
    'known bounds',
    object({ a: { type: 'string', format: 'date', pattern: '^2' } }),
    object({ a: { type: 'string', format: 'date', pattern: '^2' } }, closed),
  ],
  ['a member called constructor', object({ constructor: text }), object({ constructor: text }, closed)],
  ['an optional member', { type: 'object', properties: { q: text } }, null],
  ['an optional member below', object({ a: { type: 'object', properties: { q: text } } }), null],
  ['open', object({ q: text }, { additionalProperties: true }), null],
  ['open for texts', object({ q: text }, { additionalProperties: text }), null],
  ['a required member that is not described', { ...object({ q: text }), required: ['q', 'r'] }, null],
  ['a keyword that is not known there', object({ q: { ...text, minLength: 1 } }), null],
  ['a format that is not known there', object({ q: { ...text, format: 'uri' } }), null],
  ['a default', object({ q: { ...text, default: 'x' } }), null],
  ['an object or null', object({ a: { ...object({ b: text }), type: ['object', 'null'] } }), null],
  ['a choice of forms at the top', { ...object({ q: text }), anyOf: [object({ q: text })] }, null],
  ['no object', { anyOf: [object({}), object({})] }, null],
  [
    'too deep',
    Array(12)
      .fill(0)
      .reduce<object>((inner) => object({ a: inner }), text),
    null,
  ],
];

test.each(schemas)('strictTools: %s', async (_, inputSchema, strict) => {
  const tools = [{ name: 'f', description: '', inputSchema: JSON.parse(JSON.stringify(inputSchema)) }];
  for (const strictTools of [true, false]) {
    const { model, server } = await serve({ text: 'Hi' }, { strictTools });
    await collect(model.generate(requestOf({ tools })));
    const isStrict = strictTools && strict !== null;
    const parameters = isStrict ? strict : inputSchema;
    const called = { name: 'f', parameters, ...(isStrict && { strict: true }) };
    expect(server.requests[0]?.body.tools).toEqual([{ type: 'function', function: called }]);
  }
});

test.each([
  openaiForm('tools[0].function.strict', 'Unknown parameter.'),
  openaiForm('tools[0].function.parameters', "Invalid schema for function 'f'."),
  '{"error":{"message":"strict is not supported"}}',
])('strict that is refused is left out, and that is remembered: %s', async (body) => {
  const { model, server } = await serve(
    ({ tools }) => (JSON.stringify(tools).includes('strict') ? { status: 400, body } : { text: 'Hi' }),
    { strictTools: true },
  );
  const tools = [{ name: 'f', description: '', inputSchema: { type: 'object' } }];
  for (let count = 1; count <= 2; count++)
    expect(textOf(await collect(model.generate(requestOf({ tools }))))).toBe('Hi');
  expect(server.requests).toHaveLength(3);
});

test('reasoning that is refused is left out, and is not sent where that is switched off', async () => {
  const called = { text: '', reasoning: 'hm', calls: [{ name: 'f', arguments: '{}' }] };
  for (const returnReasoning of [true, false]) {
    const { model, server } = await serve(
      ({ messages }) =>
        JSON.stringify(messages).includes('reasoning_content')
          ? { status: 400, body: '{"error":{"message":"property \'reasoning_content\' is unsupported"}}' }
          : called,
      { returnReasoning },
    );
    const agent = createAgent({
      model,
      dialect: 'native',
      tools: { f: { description: 'f', inputSchema: { type: 'object' }, execute: () => 'ok' } },
      budget: { maxSteps: 3 },
    });
    await agent.run('x');
    const sent = server.requests.map(({ body }) => JSON.stringify(body).includes('reasoning_content'));
    expect(sent).toEqual(returnReasoning ? [false, true, false, false] : [false, false, false]);
  }
});

function openaiForm(param: string, message: string): string {
  return JSON.stringify({ error: { message, param } });
}

const fastApiForm = (name: string) =>
  JSON.stringify({ detail: [{ type: 'extra_forbidden', loc: ['body', name], msg: 'Extra inputs are not permitted' }] });

/** How servers refuse a parameter by its name. */
const refusals: readonly (readonly [string, number, string])[] = [
  ['stop', 400, openaiForm('stop', "Unsupported parameter: 'stop' is not supported with this model.")],
  ['stop', 400, '{"error":"Argument not supported on this model: stop"}'],
  ['stop', 422, fastApiForm('stop')],
  ['stop', 400, openaiForm('None', "litellm.BadRequestError: Unsupported parameter: 'stop' is not supported here.")],
  ['stop', 400, openaiForm('null', 'Argument not supported on this model: stop')],
  ['stop', 400, openaiForm('messages', "OpenAIException - Unsupported parameter: 'stop' is not supported here.")],
  ['temperature', 400, openaiForm('temperature', 'Only the default (1) value is supported.')],
  ['max_tokens', 400, openaiForm('max_tokens', "Unsupported parameter: use 'max_completion_tokens' instead.")],
  ['stream_options', 400, '{"error":{"message":"Unrecognized request argument supplied: stream_options"}}'],
  ['stream_options', 422, fastApiForm('stream_options')],
  ['response_format', 400, '{"error":{"message":"This response_format type is unavailable now"}}'],
  ['response_format', 400, openaiForm('response_format', "'response_format.type' must be 'json_schema' or 'text'")],
  ['response_format', 400, `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`],
];

test.each(refusals)('%s, refused with %i %s', async (name, status, body) => {
  const refuse = (asked: RequestBody): ServerAnswer => (name in asked ? { status, body } : { text: 'Hi' });
  const { model, server } = await serve(refuse);
  const request = name === 'response_format' ? asJson : {};
  expect(textOf(await collect(model.generate(requestOf(request))))).toBe('Hi');
  expect(textOf(await collect(model.generate(requestOf(request))))).toBe('Hi');
  // Refused once, sent again once, and then remembered.
  expect(server.requests.map((request) => name in request.body)).toEqual([true, false, false]);
  expect(server.requests[1]?.body.max_completion_tokens).toBe(name === 'max_tokens' ? 100 : undefined);
  expect(server.sockets.made).toBe(1);
});

test('a server that refuses everything is asked once for each parameter', async () => {
  const names = ['stop', 'temperature', 'max_tokens', 'stream_options', 'response_format', 'max_completion_tokens'];
  const { model, server } = await serve((body) => ({
    status: 400,
    body: openaiForm(names.find((name) => name in body) ?? 'messages', 'Unsupported.'),
  }));
  const last = lastOf(await collect(model.generate(requestOf(asJson))));
  expect(last).toMatchObject({ type: 'failed', failure: 'refused' });
  expect(server.requests).toHaveLength(6);
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
