/** An inspector for the tests of a file, and what a page would ask of it. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { afterAll, afterEach } from 'vitest';
import type { LiveEvent } from '../../src/core/trace.ts';
import { createInspector, type Inspector, type InspectorOptions } from '../../src/observe/inspect/inspector.ts';
import type { RunSummary } from '../../src/observe/inspect/wire.ts';

const folder = mkdtempSync(join(tmpdir(), 'fuseloop-inspect-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As little as a page can be: the tests of the server need none that does anything. */
export const smallPage = join(folder, 'page.html');
export const smallPageText =
  "<!doctype html><title>waiting</title><style>p{color:red}</style><!-- fuseloop-runs --><script>document.title='ran'</script>";
writeFileSync(smallPage, smallPageText);

const open: Inspector[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((inspector) => inspector.close()));
});

/** Closed behind the test. */
export async function openInspector(options: InspectorOptions = {}): Promise<Inspector> {
  const inspector = await createInspector({ page: smallPage, ...options });
  open.push(inspector);
  return inspector;
}

/** Of this process, or of another one. */
export type Address = Pick<Inspector, 'url'>;

export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Default: that of the address. */
  readonly token?: string;
}

/** The answer as it begins. */
export async function ask(inspector: Address, path: string, asking: Asking = {}): Promise<IncomingMessage> {
  const { method = 'GET', headers = {}, body, token } = asking;
  const { port, searchParams } = new URL(inspector.url);
  const at = new URL(path, inspector.url);
  at.searchParams.set('token', token ?? searchParams.get('token') ?? '');
  const options = { host: '127.0.0.1', port, path: at.pathname + at.search, method, headers, agent: false };
  const sent = request(options);
  sent.on('error', () => {});
  sent.end(body);
  const [response]: IncomingMessage[] = await once(sent, 'response');
  if (response === undefined) throw new Error('no response');
  return response;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** The whole answer. */
export async function answerTo(inspector: Address, path: string, asking: Asking = {}): Promise<Answer> {
  const response = await ask(inspector, path, asking);
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

/** What the page sends with a decision. */
export function decide(inspector: Address, key: string, decision: unknown, asking: Asking = {}): Promise<Answer> {
  const { origin } = new URL(inspector.url);
  const headers = { origin, 'content-type': 'application/json', ...asking.headers };
  const body = asking.body ?? JSON.stringify(decision);
  return answerTo(inspector, `/runs/${key}/decisions`, { method: 'POST', ...asking, body, headers });
}

export interface Stream {
  /** All that came so far. */
  readonly messages: readonly EventSourceMessage[];
  /** Settles once it holds for what came; where the stream ends before, it rejects. */
  until(holds: (messages: readonly EventSourceMessage[]) => boolean): Promise<readonly EventSourceMessage[]>;
  /** Leaves, as a page that is closed. */
  leave(): void;
}

export async function stream(inspector: Address, path: string, asking: Asking = {}): Promise<Stream> {
  const response = await ask(inspector, path, asking);
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message) });
  const waiting = new Set<() => void>();
  let isOver = false;
  const look = () => {
    for (const one of waiting) one();
  };
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    parser.feed(text);
    look();
  });
  response.on('error', () => {});
  response.on('close', () => {
    isOver = true;
    look();
  });
  return {
    messages,
    until: (holds) =>
      new Promise((resolve, reject) => {
        const one = () => {
          if (holds(messages)) resolve(messages);
          else if (isOver) reject(new Error(`the stream ended: ${JSON.stringify(messages).slice(0, 2_000)}`));
          else return;
          waiting.delete(one);
        };
        waiting.add(one);
        one();
      }),
    leave: () => response.destroy(),
  };
}

export const isEnd = (messages: readonly EventSourceMessage[]) => messages.some(({ event }) => event === 'end');

/** Those of the trace, and pieces of replies. */
export function eventsIn(messages: readonly EventSourceMessage[]): readonly LiveEvent[] {
  return messages.filter(({ event }) => event === 'events').flatMap(({ data }): LiveEvent[] => JSON.parse(data));
}

/** As the page would have the list now: by key. */
export function listIn(messages: readonly EventSourceMessage[]): ReadonlyMap<string, RunSummary> {
  const runs = new Map<string, RunSummary>();
  for (const { event, data } of messages) {
    if (event === 'runs') for (const run of JSON.parse(data)) runs.set(run.key, run);
    if (event === 'gone') for (const key of JSON.parse(data)) runs.delete(key);
  }
  return runs;
}
