/** Whose key is sent where, and which options there are: the same for all adapters over HTTP. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { anthropic } from '../../src/models/anthropic.ts';
import { openai } from '../../src/models/openai.ts';
import { startAnthropicServer } from '../support/anthropic-server.ts';
import { startOpenaiServer } from '../support/openai-server.ts';
import { startProxyServer } from '../support/proxy-server.ts';
import { collect, lastOf, requestOf } from './asking.ts';

const ofEnvironment = 'sk-of-environment';

interface Adapter {
  readonly name: string;
  readonly create: (options: object) => ReturnType<typeof openai>;
  readonly serve: () => ReturnType<typeof startOpenaiServer>;
  readonly home: string;
  readonly header: string;
  readonly keyName: string;
  readonly baseURLName: string;
}

const adapters: readonly Adapter[] = [
  {
    name: 'openai',
    create: (options) => Reflect.apply(openai, undefined, [options]),
    serve: () => startOpenaiServer({ text: 'Hi' }),
    home: 'http://api.openai.com/v1',
    header: 'authorization',
    keyName: 'OPENAI_API_KEY',
    baseURLName: 'OPENAI_BASE_URL',
  },
  {
    name: 'anthropic',
    create: (options) => Reflect.apply(anthropic, undefined, [options]),
    serve: () => startAnthropicServer({ text: 'Hi' }),
    home: 'http://api.anthropic.com',
    header: 'x-api-key',
    keyName: 'ANTHROPIC_API_KEY',
    baseURLName: 'ANTHROPIC_BASE_URL',
  },
];

interface Where {
  /** The server that the test has started. */
  readonly here: string;
}

/** The variable of the base URL, the options, and whether the environment's key is sent. */
const rows: readonly (readonly [string, (where: Where) => string, (where: Where) => object, boolean])[] = [
  ['the base URL of the environment', ({ here }) => here, () => ({}), true],
  ['the same in code', ({ here }) => here, ({ here }) => ({ baseURL: here }), true],
  ['another path of the same server', ({ here }) => `${here}/elsewhere`, ({ here }) => ({ baseURL: here }), true],
  ['a server in code, none in the environment', () => '', ({ here }) => ({ baseURL: here }), false],
  ['another server in the environment', () => 'http://127.0.0.1:9/v1', ({ here }) => ({ baseURL: here }), false],
  [
    'another name of this machine',
    ({ here }) => here.replace('127.0.0.1', 'localhost'),
    ({ here }) => ({ baseURL: here }),
    false,
  ],
  ['a header api-key', ({ here }) => here, () => ({ headers: { 'API-Key': 'own' } }), false],
  [
    'a header of another gateway',
    ({ here }) => here,
    () => ({ headers: { 'Ocp-Apim-Subscription-Key': 'own' } }),
    false,
  ],
  ['an ordinary header', ({ here }) => here, () => ({ headers: { 'x-title': 'Search' } }), true],
  ['an empty key', ({ here }) => here, () => ({ apiKey: '' }), false],
];

beforeEach(() => {
  for (const name of ['http_proxy', 'https_proxy', 'no_proxy'].flatMap((name) => [name, name.toUpperCase()]))
    vi.stubEnv(name, undefined);
});
afterEach(() => void vi.unstubAllEnvs());

describe.each(adapters)(
  '$name: the key of the environment',
  ({ create, serve, header, keyName, baseURLName, home }) => {
    async function started() {
      const server = await serve();
      onTestFinished(() => server.close());
      vi.stubEnv(keyName, ofEnvironment);
      return server;
    }

    test.each(rows)('%s', async (_, variable, options, isSent) => {
      const server = await started();
      vi.stubEnv(baseURLName, variable({ here: server.baseURL }));
      const model = create({ model: 'm', ...options({ here: server.baseURL }) });
      expect(lastOf(await collect(model.generate(requestOf())))).toMatchObject({ type: 'end' });
      await model.close();
      expect(server.requests).toHaveLength(1);
      expect(JSON.stringify(server.requests[0]?.headers).includes(ofEnvironment)).toBe(isSent);
      expect(server.requests[0]?.headers[header]?.includes(ofEnvironment) ?? false).toBe(isSent);
    });

    test('a credential of the user is sent alone, and a key in code beside it', async () => {
      const server = await started();
      vi.stubEnv(baseURLName, server.baseURL);
      const headers = { Authorization: 'Bearer own', 'x-api-key': 'own' };
      for (const options of [{ headers }, { headers: { 'cf-aig-authorization': 'own' }, apiKey: 'sk-in-code' }]) {
        const model = create({ model: 'm', ...options });
        await collect(model.generate(requestOf()));
        await model.close();
      }
      const sent = server.requests.map(({ headers }) => JSON.stringify(headers));
      expect(sent[0]).not.toContain('sk-');
      expect(sent[1]).toContain('sk-in-code');
      expect(sent[1]).not.toContain(ofEnvironment);
    });

    test.each([
      ['the provider without TLS', home],
      ['a name that only looks like it', home.replace('http://api.', 'https://api-')],
      ['a name that goes on', `${home.replace('http:', 'https:').replace('.com', '.com.example')}`],
    ])('does not go to %s', async (_, baseURL) => {
      vi.stubEnv(keyName, ofEnvironment);
      vi.stubEnv(baseURLName, '');
      const { origin, seen, close } = await startProxyServer({ status: 401 });
      onTestFinished(() => close());
      const make = () => create({ model: 'm', baseURL, proxy: origin });
      // Its own hosts answer nobody without a key: refused here, with what to do.
      if (baseURL === home) {
        expect(make).toThrow('apiKey is missing.');
        return;
      }
      const model = make();
      await collect(model.generate(requestOf()));
      await model.close();
      expect(seen).toHaveLength(1);
      expect(create({ model: 'm', baseURL: home.replace('http://api.', 'https://eu.api.') }).name).toBe('m');
    });

    test('a refusal says that no key was sent, and what to do', async () => {
      const server = await startOpenaiServer({ status: 401, body: 'Who are you?' });
      onTestFinished(() => server.close());
      vi.stubEnv(keyName, ofEnvironment);
      vi.stubEnv(baseURLName, '');
      const hintOf = async (options: object) => {
        const model = create({ model: 'm', baseURL: server.origin, ...options });
        const last = lastOf(await collect(model.generate(requestOf())));
        await model.close();
        return last?.type === 'failed' ? last.hint : '';
      };
      expect(await hintOf({})).toMatch(
        new RegExp(`goes to https://api\\..* only.*pass apiKey: process\\.env\\.${keyName}`),
      );
      expect(await hintOf({ apiKey: '' })).toMatch(new RegExp(`No API key was sent\\. Set ${keyName}`));
      expect(await hintOf({ apiKey: 'sk-wrong-1' })).toMatch(/Check the API key/);
      expect(await hintOf({ headers: { authorization: 'x' } })).toMatch(/the headers that were given/);
    });
  },
);

describe.each(adapters)('$name: options', ({ name, create }) => {
  test.each([
    ['baseUrl', { baseUrl: 'http://127.0.0.1:9' }],
    ['temperature', { temperature: 0 }],
    ['thinkin', { thinkin: {} }],
    ['constructor', { constructor: 1 }],
  ])('%s is refused', (option, given) => {
    const make = () => create({ model: 'm', apiKey: 'k', ...given });
    expect(make).toThrow(`${option} is not an option of ${name}.`);
    expect(make).toThrow(
      expect.objectContaining({ code: 'invalid_option', hint: expect.stringMatching(/^Known: model, .*baseURL/) }),
    );
  });

  test.each([[undefined], [null], ['gpt-4o-mini'], [[]]])('%j in place of the options is refused', (given) => {
    expect(() => Reflect.apply(create, undefined, [given])).toThrow(
      expect.objectContaining({ code: 'invalid_option', message: 'options is not an object.' }),
    );
  });

  test.each([
    ['apiKey', { apiKey: 5 }],
    ['headers', { headers: null }],
    ['headers', { headers: { 'x-a': 5 } }],
    ['headers', { headers: new Headers({ 'x-a': 'b' }) }],
    ['baseURL', { baseURL: 5 }],
  ])('%s %j is named', (option, given) => {
    const make = () => create({ model: 'm', apiKey: 'k', ...given });
    expect(make).toThrow(
      expect.objectContaining({ code: 'invalid_option', message: expect.stringMatching(`^${option} `) }),
    );
  });
});

const secret = 'hunter2/&"<hush>';

describe.each(adapters)('$name: secrets', ({ create }) => {
  const query = encodeURIComponent(secret);
  test.each<readonly [string, object, string]>([
    ...['sig', 'code', 'password', 'subscription', 'x'].map(
      (name) => [`query ${name}`, {}, `?${name}=${query}`] as const,
    ),
    ...['x-password', 'x-credential', 'x-session-id', 'x-signature', 'x-anything'].map(
      (name) => [name, { headers: { [name]: secret } }, ''] as const,
    ),
    ['a cookie', { headers: { cookie: `a=${secret}; b=c` } }, ''],
    ['the last cookie', { headers: { cookie: `b=c; a=${secret}` } }, ''],
    ['authorization', { headers: { authorization: `Basic ${secret}` } }, ''],
    ['the key', { apiKey: secret }, ''],
  ])('%s is not shown, in whatever form the server says it', async (_, options, search) => {
    const entities = secret.replace(/[^a-z]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    const escaped = secret.replace(/[^a-z]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
    const named = secret
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;');
    const mixed = query.replace('%2F', '/').replace('%26', '%26').toLowerCase();
    for (const said of [secret, entities, escaped, named, query, mixed, secret.replace('/', '\\/')]) {
      const server = await startOpenaiServer({ status: 400, body: `<p>You said ${said} to us.</p>` });
      const model = create({ model: 'm', apiKey: '', baseURL: `${server.origin}${search}`, ...options });
      const last = lastOf(await collect(model.generate(requestOf())));
      await model.close();
      await server.close();
      expect(last).toHaveProperty('message', expect.stringMatching(/You said .*\[redacted\].* to us/));
    }
  });

  test('what tells nothing stays', async () => {
    const server = await startOpenaiServer({
      status: 400,
      body: 'No such api-version: 2099-01-01, my-application 1.0.',
    });
    onTestFinished(() => server.close());
    const headers = { 'user-agent': 'my-application 1.0' };
    const model = create({ model: 'm', apiKey: '', baseURL: `${server.origin}?api-version=2099-01-01`, headers });
    const last = lastOf(await collect(model.generate(requestOf())));
    await model.close();
    expect(last).toHaveProperty('message', expect.stringContaining('2099-01-01, my-application 1.0.'));
  });

  test.each(['TOKEN-of-proxy/1', 'TOKEN-of-proxy'])(
    'a user of a proxy without a password is a secret: %s',
    async (user) => {
      const server = await startOpenaiServer({ status: 400, body: `${user} and ${encodeURIComponent(user)}` });
      const { origin, close } = await startProxyServer({ credentials: `${user}:` });
      const proxy = origin.replace('://', `://${encodeURIComponent(user)}@`);
      const model = create({ model: 'm', apiKey: '', baseURL: server.origin, proxy });
      const last = lastOf(await collect(model.generate(requestOf())));
      await model.close();
      await server.close();
      await close();
      expect(last).toHaveProperty('message', expect.stringContaining('[redacted]'));
      expect(JSON.stringify(last)).not.toContain('TOKEN-of-proxy');
    },
  );
});

/** Each row of the table of providers is a call that can be pasted. */
describe('docs/models.md: the table of providers', () => {
  const page = readFileSync(new URL('../../docs/models.md', import.meta.url), 'utf8');
  const calls = [...page.matchAll(/^\| ([^|]+) \| `openai\((\{.+\})\)` \|$/gm)].map(
    ([, provider = '', options = '']) => [provider, options] as const,
  );

  test('has its rows', () => expect(calls.length).toBeGreaterThan(7));

  test.each(calls)('%s', async (provider, options) => {
    const server = await startOpenaiServer({ text: 'Hi' });
    onTestFinished(() => server.close());
    for (const [, name = ''] of options.matchAll(/process\.env\.(\w+)/g)) vi.stubEnv(name, `sk-of-${name}`);
    vi.stubEnv('OPENAI_API_KEY', 'sk-of-OPENAI_API_KEY');
    vi.stubEnv('OPENAI_BASE_URL', '');
    const given: unknown = new Function('process', `return (${options});`)(process);
    if (typeof given !== 'object' || given === null) throw new Error('The row holds no options.');
    const made: unknown = Reflect.apply(openai, undefined, [given]);
    expect(made).toHaveProperty('provider', 'openai');
    // The same at the server of the test: what stands in the row goes there, and no key of OpenAI but in its own row.
    const isOpenai = !('baseURL' in given);
    if (isOpenai) vi.stubEnv('OPENAI_BASE_URL', server.baseURL);
    const model: ReturnType<typeof openai> = Reflect.apply(openai, undefined, [
      isOpenai ? given : { ...given, baseURL: server.baseURL },
    ]);
    expect(lastOf(await collect(model.generate(requestOf())))).toMatchObject({ type: 'end' });
    await model.close();
    const sent = JSON.stringify(server.requests[0]?.headers);
    expect(sent.includes('sk-of-OPENAI_API_KEY'), provider).toBe(isOpenai);
    for (const [, name = ''] of options.matchAll(/process\.env\.(\w+)/g)) expect(sent).toContain(`sk-of-${name}`);
  });
});
