import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findModel, type WantedModel } from '../../src/cli/find-model.ts';
import { firstModel } from '../../src/cli/first-model.ts';
import { type Ollama, ollamaOrigin } from '../../src/cli/ollama.ts';
import { environmentVariables } from '../../src/cli/schemas.ts';
import { wantsColour } from '../../src/cli/style.ts';

const ollama: Ollama = { origin: 'http://127.0.0.1:11434', models: ['qwen3:8b', 'b'] };
const key = { OPENAI_API_KEY: 'sk-test-1' };
const none: WantedModel = { model: undefined, baseUrl: undefined };

interface Case {
  readonly title: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly wanted?: Partial<WantedModel>;
  readonly ollama?: Ollama;
  readonly name: string | undefined;
  /** The server that is asked for its first model, and with which key. */
  readonly asks?: string;
  readonly notice: RegExp;
}

const cases: readonly Case[] = [
  {
    title: 'a key',
    env: key,
    ollama,
    name: 'gpt-4o-mini',
    notice: /gpt-4o-mini at https:\/\/api.openai.com\/v1.*default/,
  },
  { title: 'key and name', env: { ...key, FUSELOOP_MODEL: 'm' }, name: 'm', notice: /^Model: m at https:\S+$/ },
  {
    title: 'a flag above the variable',
    env: { ...key, FUSELOOP_MODEL: 'm' },
    wanted: { model: 'n' },
    name: 'n',
    notice: /n at/,
  },
  {
    title: 'a base URL alone',
    env: { OPENAI_BASE_URL: 'http://127.0.0.1:8000/v1?key=secret' },
    name: 'the first',
    asks: 'http://127.0.0.1:8000/v1?key=secret with ""',
    notice: /the first at http:\/\/127\.0\.0\.1:8000\/v1, its first \(FUSELOOP_MODEL/,
  },
  {
    title: 'the flag above the variable',
    env: { ...key, OPENAI_BASE_URL: 'http://a/v1' },
    wanted: { baseUrl: 'http://b/v1' },
    name: 'the first',
    asks: 'http://b/v1 with ""',
    notice: /at http:\/\/b\/v1, .*without OPENAI_API_KEY, .*set OPENAI_BASE_URL/,
  },
  {
    title: 'a flag to the server of the variable',
    env: { ...key, OPENAI_BASE_URL: 'http://a/v1' },
    wanted: { baseUrl: 'http://a/v2' },
    name: 'the first',
    asks: 'http://a/v2 with "sk-test-1"',
    notice: /at http:\/\/a\/v2, its first \(FUSELOOP_MODEL or --model names another\)$/,
  },
  {
    title: 'key and base URL of the variables',
    env: { ...key, OPENAI_BASE_URL: 'http://a/v1' },
    name: 'the first',
    asks: 'http://a/v1 with "sk-test-1"',
    notice: /at http:\/\/a\/v1, its first/,
  },
  {
    title: 'a prefix',
    env: key,
    wanted: { model: 'openai:m' },
    ollama,
    name: 'm',
    notice: /^Model: m at https:\/\/api\.openai\.com\/v1$/,
  },
  {
    title: 'a prefix in the variable, at the server of the flag',
    env: { FUSELOOP_MODEL: 'openai:m' },
    wanted: { baseUrl: 'http://b/v1' },
    name: 'm',
    notice: /^Model: m at http:\/\/b\/v1$/,
  },
  {
    title: 'Ollama',
    ollama,
    name: 'qwen3:8b',
    notice: /qwen3:8b at http:\/\/127\.0\.0\.1:11434\/v1, the first of Ollama/,
  },
  { title: 'Ollama and a name', wanted: { model: 'b' }, ollama, name: 'b', notice: /b at .*, by Ollama$/ },
  { title: 'Ollama without models', ollama: { ...ollama, models: [] }, name: undefined, notice: /scripted.*pull one/ },
  {
    title: 'variables that are set to nothing',
    env: { OPENAI_API_KEY: ' ', OPENAI_BASE_URL: '' },
    name: undefined,
    notice: /^Model: scripted/,
  },
  {
    title: 'a model of Anthropic, whatever else is configured',
    env: { ...key, ANTHROPIC_API_KEY: 'sk-test-1' },
    wanted: { model: 'anthropic:claude-test' },
    ollama,
    name: 'claude-test',
    notice: /^Model: claude-test at https:\/\/api\.anthropic\.com\/$/,
  },
  {
    title: 'one of Anthropic in the variable, at another server without a key',
    env: { FUSELOOP_MODEL: 'anthropic:claude-test', ANTHROPIC_BASE_URL: 'http://127.0.0.1:4000/v1?key=secret' },
    name: 'claude-test',
    notice: /^Model: claude-test at http:\/\/127\.0\.0\.1:4000\/v1$/,
  },
  {
    title: 'one of Anthropic, at the server of the flag',
    env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:4000' },
    wanted: { model: 'anthropic:claude-test', baseUrl: 'http://127.0.0.1:5000' },
    name: 'claude-test',
    notice: /^Model: claude-test at http:\/\/127\.0\.0\.1:5000\/$/,
  },
  {
    title: 'nothing',
    name: undefined,
    notice: /scripted\. .*OPENAI_API_KEY.*OPENAI_BASE_URL and FUSELOOP_MODEL.*Ollama/,
  },
];

describe('the model', () => {
  it.each(cases)('from $title', async ({ env = {}, wanted = {}, name, notice, ...more }) => {
    const asked: string[] = [];
    const found = await findModel({ ...none, ...wanted }, environmentVariables.parse(env), {
      ollama: async () => more.ollama ?? null,
      first: async (baseURL, apiKey) => {
        asked.push(`${baseURL} with ${JSON.stringify(apiKey)}`);
        return 'the first';
      },
    });
    expect(found.model?.name).toBe(name);
    expect(asked).toEqual(more.asks === undefined ? [] : [more.asks]);
    expect(found.notice).toMatch(notice);
    expect(found.notice).not.toMatch(/secret|sk-test-1|\n/);
    expect(found.secrets).toEqual(
      [env.OPENAI_API_KEY, env.ANTHROPIC_API_KEY].includes('sk-test-1') ? ['sk-test-1'] : [],
    );
    await found.close();
  });

  it.each([
    ['anthropic:', {}, /"anthropic:" has no name/],
    ['anthropic: ', {}, /has no name/],
    ['openai:', {}, /"openai:" has no name/],
    ['openai:m', { OPENAI_API_KEY: '' }, /apiKey is missing/],
    ['anthropic:m', {}, /apiKey is missing/],
    ['anthropic:m', { ANTHROPIC_API_KEY: 'sk-test-1', ANTHROPIC_BASE_URL: 'secret' }, /^ANTHROPIC_BASE_URL is no http/],
  ])('%s with %j is refused', async (model, env, message) => {
    const wanted = { ...none, model };
    const found = findModel(wanted, environmentVariables.parse({ ...key, ...env }), { ollama: async () => ollama });
    await expect(found).rejects.toThrow(message);
    await expect(found).rejects.not.toThrow(/secret|sk-test-1/);
  });

  it('Ollama is not asked where something is configured', async () => {
    const ask = () => Promise.reject(new Error('asked'));
    const found = await findModel(none, environmentVariables.parse(key), { ollama: ask, first: ask });
    await found.close();
  });
});

describe('the first model of a server', () => {
  const list = (...ids: readonly string[]) => JSON.stringify({ object: 'list', data: ids.map((id) => ({ id })) });

  async function serve(status: number, body: string): Promise<{ readonly origin: string; readonly seen: string[] }> {
    const seen: string[] = [];
    const server = createServer(({ method, url, headers }, response) => {
      seen.push(`${method} ${url} ${headers.authorization}`);
      response.writeHead(status, { location: 'http://127.0.0.1:1/v1/models' }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The server has no port.');
    return { origin: `http://127.0.0.1:${address.port}`, seen };
  }

  it.each([
    ['/v1', 'sk-test-1', 'GET /v1/models Bearer sk-test-1'],
    ['/v1/?a=b', '', 'GET /v1/models?a=b undefined'],
  ])('is asked for once: %s, key "%s"', async (path, apiKey, request) => {
    const { origin, seen } = await serve(200, list('one', 'two'));
    expect(await firstModel(`${origin}${path}`, apiKey)).toBe('one');
    expect(seen).toEqual([request]);
  });

  it.each([
    [401, '{"error":"no key"}', /\/v1\/models does not say which there are: it answered 401/],
    [302, list('one'), /it answered 302/],
    [200, '<html>', /no JSON/],
    [200, list(), /empty/],
    [200, '{"data":[{"id":5}]}', /no list of models/],
    [200, 'null', /no list of models/],
  ])('%i %s: says so, and what to do', async (status, body, message) => {
    const { origin, seen } = await serve(status, body);
    const asked = firstModel(`${origin}/v1?key=secret`, 'sk-test-1');
    await expect(asked).rejects.toMatchObject({
      message: expect.stringMatching(message),
      hint: expect.stringContaining('--model'),
    });
    await expect(asked).rejects.not.toThrow(/secret|sk-test-1/);
    expect(seen).toHaveLength(1);
  });

  it('of a server that is not there', async () => {
    await expect(firstModel('http://127.0.0.1:1/v1', '')).rejects.toThrow(/ECONNREFUSED|bad port/);
  });
});

it.each([
  [undefined, 'http://127.0.0.1:11434'],
  ['', 'http://127.0.0.1:11434'],
  ['10.0.0.1', 'http://10.0.0.1:11434'],
  ['10.0.0.1:8080', 'http://10.0.0.1:8080'],
  [':8080', 'http://127.0.0.1:8080'],
  ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
  ['[::1]:8080', 'http://[::1]:8080'],
  ['https://ollama.example/', 'https://ollama.example'],
  ['http://ollama.example:8080/api', 'http://ollama.example:8080'],
  ['a:b:c', null],
])('OLLAMA_HOST %j is %j', (host, origin) => expect(ollamaOrigin(host)).toBe(origin));

it.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [false, { FORCE_COLOR: '' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [true, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
])('terminal %s, %o: colour %s', (isTerminal, variables, coloured) => {
  expect(wantsColour({ isTerminal, variables })).toBe(coloured);
});
