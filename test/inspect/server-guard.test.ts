/** Who is let in, what each answer tells the browser, and that the page is found. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { createInspector } from '../../src/observe/inspect/inspector.ts';
import { answer, setup } from '../shell/setup.ts';
import { type Asking, answerTo, ask, decide, openInspector, smallPage, smallPageText } from './opened.ts';

/** Such as with one run, `r1`, that is over. */
async function withRun() {
  const inspector = await openInspector();
  const { run } = setup({ replies: [answer('42')], agent: { onEvent: inspector.onEvent } });
  await run();
  await new Promise((resolve) => setImmediate(resolve));
  return inspector;
}

interface Row {
  readonly what: string;
  readonly path?: string;
  readonly asking: Asking | ((origin: string, port: string) => Asking);
  readonly status: number;
}

const json = { 'content-type': 'application/json' };
const abort = '{"kind":"abort"}';
const post = (origin: string, more: Asking = {}): Asking => ({
  method: 'POST',
  body: abort,
  ...more,
  headers: { ...json, origin, ...more.headers },
});

const rows: readonly Row[] = [
  { what: 'the address as it was printed', asking: {}, status: 200 },
  { what: 'localhost', asking: (_, port) => ({ headers: { host: `localhost:${port}` } }), status: 200 },
  { what: 'its own origin', asking: (origin) => ({ headers: { origin } }), status: 200 },
  { what: 'a page of ours that asks', asking: { headers: { 'sec-fetch-site': 'same-origin' } }, status: 200 },
  {
    what: 'a link that is followed',
    asking: {
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    },
    status: 200,
  },
  {
    what: 'a link that is followed to what only the page asks for',
    path: '/runs',
    asking: {
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    },
    status: 403,
  },
  { what: 'no token', asking: { token: '' }, status: 403 },
  { what: 'a wrong token', asking: { token: '0'.repeat(32) }, status: 403 },
  {
    what: 'a foreign name that leads here',
    asking: (_, port) => ({ headers: { host: `evil.test:${port}` } }),
    status: 403,
  },
  {
    what: 'a name that only begins with ours',
    asking: (_, port) => ({ headers: { host: `localhost.evil.test:${port}` } }),
    status: 403,
  },
  { what: 'another port', asking: { headers: { host: '127.0.0.1:1' } }, status: 403 },
  { what: 'a foreign origin', asking: { headers: { origin: 'https://evil.test' } }, status: 403 },
  { what: 'the origin of a file', asking: { headers: { origin: 'null' } }, status: 403 },
  { what: 'another server of this machine', asking: { headers: { origin: 'http://127.0.0.1:1' } }, status: 403 },
  { what: 'a page elsewhere that asks', asking: { headers: { 'sec-fetch-site': 'cross-site' } }, status: 403 },
  {
    what: 'a picture of a page elsewhere',
    asking: { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' } },
    status: 403,
  },
  {
    what: 'a frame of a page elsewhere',
    asking: { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' } },
    status: 403,
  },
  { what: 'another address', path: '/favicon.ico', asking: {}, status: 404 },
  { what: 'another address without a token', path: '/favicon.ico', asking: { token: '' }, status: 403 },
  { what: 'a way out of the folder', path: '/runs/..%2f..%2fetc/events', asking: {}, status: 404 },
  { what: 'a run that is not there', path: '/runs/r99/events', asking: {}, status: 404 },
  { what: 'a key of every object', path: '/runs/__proto__/events', asking: {}, status: 404 },
  { what: 'more events than there are', path: '/runs/r1/events?from=999', asking: {}, status: 400 },
  {
    what: 'a count that is none',
    path: '/runs/r1/events',
    asking: { headers: { 'last-event-id': '-1' } },
    status: 400,
  },
  { what: 'HEAD', asking: { method: 'HEAD' }, status: 405 },
  { what: 'OPTIONS', asking: { method: 'OPTIONS' }, status: 405 },
  { what: 'POST to the page', asking: (origin) => post(origin), status: 405 },
  { what: 'GET of decisions', path: '/runs/r1/decisions', asking: {}, status: 405 },
  { what: 'a decision', path: '/runs/r1/decisions', asking: (origin) => post(origin), status: 409 },
  {
    what: 'a decision without an origin',
    path: '/runs/r1/decisions',
    asking: { method: 'POST', headers: json, body: abort },
    status: 403,
  },
  {
    what: 'a decision from elsewhere',
    path: '/runs/r1/decisions',
    asking: () => post('https://evil.test'),
    status: 403,
  },
  {
    what: 'a decision as a form',
    path: '/runs/r1/decisions',
    asking: (origin) => post(origin, { headers: { 'content-type': 'text/plain' } }),
    status: 415,
  },
  {
    what: 'a decision that is too long',
    path: '/runs/r1/decisions',
    asking: (origin) => post(origin, { body: 'x'.repeat(1_100_000) }),
    status: 413,
  },
  {
    what: 'a decision that is no JSON',
    path: '/runs/r1/decisions',
    asking: (origin) => post(origin, { body: '{' }),
    status: 400,
  },
  {
    what: 'a decision that is deep',
    path: '/runs/r1/decisions',
    asking: (origin) => post(origin, { body: '['.repeat(200_000) }),
    status: 400,
  },
  {
    what: 'a decision about nothing',
    path: '/runs/r1/decisions',
    asking: (origin) => post(origin, { body: '{"kind":"approve"}' }),
    status: 400,
  },
  {
    what: 'a kind from the prototype',
    path: '/runs/r1/decisions',
    asking: (origin) => post(origin, { body: '{"kind":"constructor"}' }),
    status: 400,
  },
];

it.each(rows)('$what: $status', async ({ path = '/', asking, status }) => {
  const inspector = await withRun();
  const { origin, port } = new URL(inspector.url);
  const response = await ask(inspector, path, typeof asking === 'function' ? asking(origin, port) : asking);
  response.destroy();
  expect(response.statusCode).toBe(status);
  expect(response.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  });
  expect(response.headers['content-security-policy']).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
  expect(response.headers).not.toHaveProperty('access-control-allow-origin');
});

it('tells whoever is refused nothing of runs and token', async () => {
  const inspector = await withRun();
  const { searchParams } = new URL(inspector.url);
  const { text } = await answerTo(inspector, '/runs', { token: 'wrong' });
  expect(text).not.toContain(searchParams.get('token'));
  expect(text).not.toContain('the task');
  expect(text).toBe((await answerTo(inspector, '/no-such-place', { headers: { origin: 'null' } })).text);
});

it('has another token each time, of 128 bits', async () => {
  const tokens = await Promise.all(
    [1, 2].map(async () => new URL((await openInspector()).url).searchParams.get('token')),
  );
  expect(new Set(tokens).size).toBe(2);
  for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{32}$/);
});

it('listens on this machine alone', async () => {
  const { hostname } = new URL((await openInspector()).url);
  expect(hostname).toBe('127.0.0.1');
});

it('lets the page run its own script and style, and no other', async () => {
  const { text, headers } = await answerTo(await openInspector(), '/');
  expect(text).toBe(smallPageText);
  const hash = (source: string) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`;
  const policy = headers['content-security-policy'];
  expect(policy).toContain(`script-src ${hash("document.title='ran'")};`);
  expect(policy).toContain(`style-src ${hash('p{color:red}')};`);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
});

it('says nothing of a decision that a run for looking does not take', async () => {
  const inspector = await withRun();
  const { status, text } = await decide(inspector, 'r1', { kind: 'approve', callId: '1.1' });
  expect({ status, ...JSON.parse(text) }).toMatchObject({ status: 409, message: expect.stringContaining('over') });
});

it.each([
  [{ port: -1 }, 'port is -1'],
  [{ port: 65_536 }, 'port is 65536'],
  [{ port: 1.5 }, 'port is 1.5'],
  [{ mostBytes: Number.NaN }, 'mostBytes is NaN'],
  [{ stallMs: Number.POSITIVE_INFINITY }, 'stallMs is Infinity'],
  [{ page: `${smallPage}.not-there` }, 'cannot be read'],
  [{ host: '0.0.0.0' }, 'host is not an option'],
])('refuses %j', async (options, message) => {
  await expect(createInspector({ page: smallPage, ...options })).rejects.toMatchObject({
    code: 'invalid_option',
    message: expect.stringContaining(message),
    hint: expect.stringMatching(/./),
  });
});

it('refuses a port that somebody else has', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await expect(openInspector({ port })).rejects.toMatchObject({
    code: 'invalid_option',
    message: expect.stringContaining(String(port)),
  });
  other.close();
});
