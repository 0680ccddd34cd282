import { afterEach, expect, test, vi } from 'vitest';
import { AgentError } from '../../src/core/errors.ts';
import { openai } from '../../src/models/openai.ts';
import { collect, requestOf } from './asking.ts';
import { serve } from './openai-setup.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const model = 'test-model';
const apiKey = 'sk-test-0123456789';

test.each([
  ['model', { model: '', apiKey }],
  ['model', { model: '  ', apiKey }],
  ['apiKey', { model }],
  ['apiKey', { model, apiKey: '' }],
  ['apiKey', { model, apiKey: ' ' }],
  ['apiKey', { model, baseURL: 'https://eu.api.openai.com/v1' }],
  ['apiKey', { model, apiKey: 'sk-one\nsk-two' }],
  ['baseURL', { model, apiKey, baseURL: 'api.example.com/v1' }],
  ['baseURL', { model, apiKey, baseURL: 'ftp://example.com/v1' }],
  ['baseURL', { model, apiKey, baseURL: '' }],
  ['baseURL', { model, apiKey, baseURL: 'https://me:hunter2@example.com/v1' }],
  ['headers', { model, apiKey, headers: { 'X Y': 'z' } }],
  ['headers', { model, apiKey, headers: { 'X-Y': 'hunter2\n' + 'z' } }],
  ['stopParameter', { model, apiKey, stopParameter: '' }],
])('%s is named: %j', (field, options) => {
  vi.stubEnv('OPENAI_API_KEY', '');
  vi.stubEnv('OPENAI_BASE_URL', '');
  const error = thrownBy(() => openai(options));
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
  vi.stubEnv('OPENAI_API_KEY', '');
  expect(openai({ model, baseURL: 'http://localhost:11434/v1' })).toMatchObject({ provider: 'openai', name: model });
  expect(openai({ model, baseURL: 'https://notopenai.com/v1' }).name).toBe(model);
  expect(openai({ model, headers: { Authorization: 'Bearer x' } }).name).toBe(model);
});

test('the environment is read when the model is created', async () => {
  const { server } = await serve({ text: 'Hi' });
  vi.stubEnv('OPENAI_BASE_URL', `${server.baseURL}/`);
  vi.stubEnv('OPENAI_API_KEY', 'sk-from-env\n');
  const created = openai({ model });
  vi.unstubAllEnvs();
  await collect(created.generate(requestOf()));
  await created.close();
  expect(server.requests[0]).toMatchObject({
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer sk-from-env' },
  });
});

test('a query in the base URL is kept, a header of the user wins', async () => {
  const { server } = await serve({ text: 'Hi' });
  const headers = { AUTHORIZATION: 'Basic abc', 'api-key': 'k' };
  const created = openai({ model, apiKey, baseURL: `${server.baseURL}?api-version=2024-10-21`, headers });
  await collect(created.generate(requestOf()));
  await created.close();
  expect(server.requests[0]).toMatchObject({
    path: '/v1/chat/completions?api-version=2024-10-21',
    headers: { authorization: 'Basic abc', 'api-key': 'k' },
  });
});
