/** The inspector over HTTP: who is let in, and what each address answers. See `wire.ts`. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Decided, decide } from './decisions.ts';
import { type Guarded, isAllowed } from './guard.ts';
import { pageHeaders, safeHeaders } from './headers.ts';
import type { Hold } from './hold.ts';
import type { Holds } from './holds.ts';
import type { PageFile } from './page-file.ts';
import { readBody } from './read-body.ts';
import type { Readers } from './readers.ts';
import type { Refusal, RefusalCode } from './wire.ts';

export interface Serving {
  readonly page: PageFile;
  readonly holds: Holds;
  readonly readers: Readers;
  readonly guarded: () => Guarded;
  /** The name of who decides in the page. */
  readonly by: string;
}

interface Asked extends Serving {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly search: URLSearchParams;
}

/** In milliseconds: a request that is not complete by then is dropped. */
const requestMs = 30_000;

export function createInspectorServer(serving: Serving): Server {
  const server = createServer({ requestTimeout: requestMs, headersTimeout: requestMs }, (request, response) => {
    response.on('error', () => {});
    answer(serving, request, response).catch(() =>
      refuse(response, 500, 'defect', 'This is a defect of the inspector.'),
    );
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  return server;
}

async function answer(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  const search = new URLSearchParams(query);
  if (!isAllowed(request, { path, search }, serving.guarded())) return refuse(response, 403, 'forbidden', forbidden);
  const asked: Asked = { ...serving, request, response, search };
  const [, key, what] = /^\/runs\/([\w-]{1,64})\/(events|decisions)$/.exec(path) ?? [];
  const wanted = what === 'decisions' ? 'POST' : 'GET';
  if (key === undefined && path !== '/' && path !== '/runs')
    return refuse(response, 404, 'not_found', 'There is nothing here.');
  if (request.method !== wanted) {
    response.setHeader('allow', wanted);
    return refuse(response, 405, 'wrong_method', `Only ${wanted} is answered here.`);
  }
  if (path === '/') return sendPage(asked);
  if (key === undefined) return sendList(asked);
  const hold = serving.holds.find(key);
  if (hold === null) return refuse(response, 404, 'run_gone', 'There is no such run any more.');
  return what === 'decisions' ? takeDecision(asked, hold) : sendEvents(asked, hold);
}

/** For a person who left something of the address out; it tells nothing that is not in every copy of this program. */
const forbidden = 'Open the whole address as it was printed, with its token.';

function sendPage({ response, page: { html, inline } }: Asked): void {
  response.writeHead(200, { ...pageHeaders(inline), 'content-length': Buffer.byteLength(html) }).end(html);
}

function sendList({ response, readers }: Asked): void {
  if (!readers.list(response)) refuse(response, 503, 'too_many_pages', tooMany);
}

function sendEvents({ request, response, search, readers }: Asked, hold: Hold): void {
  const from = countOf(request.headers['last-event-id'] ?? search.get('from') ?? '0');
  if (from === null || from > hold.lines.length)
    return refuse(response, 400, 'wrong_place', 'There are not so many events.');
  if (!readers.run(response, hold, from)) refuse(response, 503, 'too_many_pages', tooMany);
}

const tooMany = 'Too many pages are open: close some.';

function countOf(text: string | readonly string[]): number | null {
  return typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

async function takeDecision({ request, response, by }: Asked, hold: Hold): Promise<void> {
  if (!/^application\/json(?:; ?charset=utf-8)?$/i.test(request.headers['content-type'] ?? ''))
    return refuse(response, 415, 'wrong_type', 'The decision must be application/json.');
  const body = await readBody(request);
  if (body === null) {
    response.setHeader('connection', 'close');
    return refuse(response, 413, 'too_long', 'The decision is too long.');
  }
  sendDecided(response, decide(hold, body, by));
}

function sendDecided(response: ServerResponse, { status, refusal }: Decided): void {
  if (refusal === null) response.writeHead(status, safeHeaders).end();
  else sendRefusal(response, status, refusal);
}

function refuse(response: ServerResponse, status: number, code: RefusalCode, message: string): void {
  if (response.headersSent) response.destroy();
  else sendRefusal(response, status, { code, message, hint: 'The page of the inspector does all of this by itself.' });
}

function sendRefusal(response: ServerResponse, status: number, refusal: Refusal): void {
  const headers = { ...safeHeaders, 'content-type': 'application/json; charset=utf-8' };
  response.writeHead(status, headers).end(`${JSON.stringify(refusal)}\n`);
}
