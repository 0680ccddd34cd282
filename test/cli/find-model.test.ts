import { describe, expect, it } from 'vitest';
import { findModel, type WantedModel } from '../../src/cli/find-model.ts';
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
    name: 'gpt-4o-mini',
    notice: /at http:\/\/127\.0\.0\.1:8000\/v1 \(/,
  },
  {
    title: 'the flag above the variable',
    env: { ...key, OPENAI_BASE_URL: 'http://a/v1' },
    wanted: { baseUrl: 'http://b/v1' },
    name: 'gpt-4o-mini',
    notice: /at http:\/\/b\/v1/,
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
    const probe = async () => more.ollama ?? null;
    const found = await findModel({ ...none, ...wanted }, environmentVariables.parse(env), probe);
    expect(found.model?.name).toBe(name);
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
    ['anthropic:m', {}, /apiKey is missing/],
    ['anthropic:m', { ANTHROPIC_API_KEY: 'sk-test-1', ANTHROPIC_BASE_URL: 'secret' }, /^ANTHROPIC_BASE_URL is no http/],
  ])('%s with %j is refused', async (model, env, message) => {
    const wanted = { ...none, model };
    const found = findModel(wanted, environmentVariables.parse({ ...key, ...env }), async () => ollama);
    await expect(found).rejects.toThrow(message);
    await expect(found).rejects.not.toThrow(/secret|sk-test-1/);
  });

  it('Ollama is not asked where something is configured', async () => {
    const probe = () => Promise.reject(new Error('asked'));
    const found = await findModel(none, environmentVariables.parse(key), probe);
    await found.close();
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
