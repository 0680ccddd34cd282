import { afterEach, expect, test, vi } from 'vitest';
import { AgentError } from '../../src/core/errors.ts';
import { type AnthropicOptions, anthropic } from '../../src/models/anthropic.ts';
import { serve } from './anthropic-setup.ts';
import { collect, requestOf } from './asking.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const model = 'claude-test';
const apiKey = 'sk-ant-test-0123456789';

test.each<readonly [string, object]>([
  ['model', { model: '', apiKey }],
  ['model', { apiKey }],
  ['apiKey', { model }],
  ['apiKey', { model, apiKey: ' ' }],
  ['apiKey', { model, baseURL: 'https://eu.anthropic.com' }],
  ['apiKey', { model, apiKey: 'sk-one\nsk-two' }],
  ['baseURL', { model, apiKey, baseURL: 'api.example.com' }],
  ['baseURL', { model, apiKey, baseURL: 'https://me:hunter2@example.com/v1' }],
  ['headers', { model, apiKey, headers: { 'X-Y': 'hunter2\n' + 'z' } }],
  ['stream', { model, apiKey, stream: 'yes' }],
  ['cacheControl', { model, apiKey, cacheControl: 1 }],
  ['version', { model, apiKey, version: '' }],
  ['version', { model, apiKey, version: '2023-06-01\nx: y' }],
  ['maxOutputTokens', { model, apiKey, maxOutputTokens: 0 }],
  ['maxOutputTokens', { model, apiKey, maxOutputTokens: 1.5 }],
  ['thinking', { model, apiKey, thinking: true }],
  ['thinking', { model, apiKey, thinking: {} }],
  ['thinking', { model, apiKey, thinking: { adaptive: false } }],
  ['thinking.budgetTokens', { model, apiKey, thinking: { budgetTokens: 1_023 } }],
  ['thinking.budgetTokens', { model, apiKey, thinking: { budgetTokens: '2000' } }],
  ['thinking', { model, apiKey, thinking: { adaptive: true, budgetTokens: 2_000 } }],
  ['thinking', { model, apiKey, thinking: { budgetTokens: 2_000, effort: 'low' } }],
  ['thinking', { model, apiKey, thinking: { budgetTokens: 2_000, adaptive: false } }],
  ['budget_tokens is not an option of thinking', { model, apiKey, thinking: { budget_tokens: 2_000 } }],
  ['thinking.effort', { model, apiKey, thinking: { adaptive: true, effort: 3 } }],
  ['thinking.display', { model, apiKey, thinking: { adaptive: true, display: '' } }],
  ['timeouts', { model, apiKey, timeouts: { soon: 1 } }],
])('%s is named: %j', (field, options) => {
  vi.stubEnv('ANTHROPIC_API_KEY', '');
  vi.stubEnv('ANTHROPIC_BASE_URL', '');
  const error = thrownBy(() => Reflect.apply(anthropic, undefined, [options]));
  expect(error).toMatchObject({ code: 'invalid_option', message: expect.stringContaining(field) });
  expect(error.hint).not.toBe('');
  expect(`${error.message} ${error.hint}`).not.toMatch(/sk-|hunter2/);
});

function thrownBy(create: () => unknown): AgentError {
  try {
    create();
  } catch (thrown) {
    if (thrown instanceof AgentError) return thrown;
  }
  throw new Error('No AgentError was thrown.');
}

test('no key is needed for other hosts, nor where the headers bring one', () => {
  vi.stubEnv('ANTHROPIC_API_KEY', '');
  expect(anthropic({ model, baseURL: 'http://localhost:4000' })).toMatchObject({ provider: 'anthropic', name: model });
  expect(anthropic({ model, headers: { Authorization: 'Bearer x' } }).name).toBe(model);
  expect(anthropic({ model, headers: { 'X-Api-Key': 'x' } }).name).toBe(model);
});

test.each([
  ['', '/v1/messages'],
  ['/', '/v1/messages'],
  ['/v1', '/v1/messages'],
  ['/v1/', '/v1/messages'],
  ['/v1?tenant=a', '/v1/messages?tenant=a'],
  ['/anthropic', '/anthropic/v1/messages'],
  ['/anthropic/v1', '/anthropic/v1/messages'],
])('the base URL ends with "%s": %s is asked', async (end, path) => {
  const { server } = await serve({});
  const created = anthropic({ model, apiKey, baseURL: `${server.baseURL}${end}` });
  await collect(created.generate(requestOf()));
  await created.close();
  expect(server.requests[0]?.path).toBe(path);
});

test('the environment is read when the model is created, and a header of the user wins', async () => {
  const { server } = await serve({});
  vi.stubEnv('ANTHROPIC_BASE_URL', `${server.baseURL}/v1/`);
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk-from-env\n');
  const created = anthropic({ model, version: '2099-01-01', headers: { 'Anthropic-Beta': 'a-1,b-2' } });
  const other = anthropic({ model, headers: { 'anthropic-version': '2098-01-01' } });
  vi.unstubAllEnvs();
  for (const asked of [created, other]) {
    await collect(asked.generate(requestOf()));
    await asked.close();
  }
  expect(
    server.requests.map(({ path, headers }) => [path, headers['x-api-key'], headers['anthropic-version']]),
  ).toEqual([
    ['/v1/messages', 'sk-from-env', '2099-01-01'],
    ['/v1/messages', 'sk-from-env', '2098-01-01'],
  ]);
  expect(server.requests[0]?.headers['anthropic-beta']).toBe('a-1,b-2');
});

test('thinking is one of its two forms, and members that are undefined are none', () => {
  const thinking: readonly NonNullable<AnthropicOptions['thinking']>[] = [
    { budgetTokens: 2_000 },
    { adaptive: true, effort: 'low', display: undefined },
    { adaptive: true, budgetTokens: undefined },
    // @ts-expect-error: a budget is nothing for a model that decides itself.
    { adaptive: true, budgetTokens: 2_000 },
  ];
  for (const each of thinking.slice(0, 3)) expect(anthropic({ model, apiKey, thinking: each }).name).toBe(model);
  expect(() => anthropic({ model, apiKey, thinking: thinking[3] })).toThrow('thinking has budgetTokens and adaptive');
});
