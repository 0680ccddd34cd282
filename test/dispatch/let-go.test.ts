/** What a result holds and nobody reads: no rejection is unhandled, no error uncaught, and nothing stays open. */
import { createReadStream } from 'node:fs';
import { PassThrough, Readable, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentOptions } from '../../src/agent-options.ts';
import type { AnyTool } from '../../src/core/tool.ts';
import { does, told } from './told.ts';

const escaped: unknown[] = [];
const heard = (error: unknown) => escaped.push(error);
beforeEach(() => {
  escaped.length = 0;
  process.on('unhandledRejection', heard).on('uncaughtException', heard);
});
afterEach(() => {
  process.off('unhandledRejection', heard).off('uncaughtException', heard);
});
/** Rejections that nobody handles, and errors of files, are known when the loop has turned a few times. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((done) => setImmediate(done));
}

const rejected = () => Promise.reject(new Error('nobody reads it'));
const anything = { '~standard': { version: 1, vendor: 'x', validate: (value: unknown) => ({ value }) } };
const nothing = { '~standard': { version: 1, vendor: 'x', validate: () => ({ issues: [{ message: 'no' }] }) } };
const fails = (): never => {
  throw new Error('no');
};
/** Never in time: rejections are told of long before. */
const slow = () => turns().then(() => new Promise<boolean>(() => {}));

type Way = readonly [how: string, marks: Partial<AnyTool>, agent: Partial<AgentOptions>];
const ways: readonly Way[] = [
  ['that is not checked', {}, {}],
  ['that its schema accepts', { outputSchema: anything }, {}],
  ['that its schema refuses', { outputSchema: nothing }, {}],
  ['that a check accepts', {}, { checkResult: () => true }],
  ['that a check refuses', {}, { checkResult: () => false }],
  ['whose check gives no answer', {}, { checkResult: slow }],
];

describe.each(ways)('a result %s', (_how, marks, agent) => {
  it.each<[string, () => unknown]>([
    ['in an object', () => ({ a: rejected() })],
    ['in a list', () => [rejected(), rejected()]],
    ['deep inside', () => ({ rows: [{ a: new Map([['k', [rejected()]]]) }] })],
    [
      'as a value of an iterator',
      async function* () {
        yield 1;
      },
    ],
    [
      'as values of an iterator that waits for none',
      () => {
        const steps = [{ value: rejected() }, { value: rejected() }, { done: true, value: rejected() }];
        return { [Symbol.asyncIterator]: () => ({ next: () => steps.shift() }) };
      },
    ],
    [
      'behind a getter that throws',
      () => Object.defineProperty({ a: rejected() }, 'b', { get: rejected, enumerable: true }),
    ],
    [
      'beside a hostile object',
      () => [new Proxy({}, { get: fails, has: fails, ownKeys: fails, getPrototypeOf: fails }), rejected()],
    ],
    ['a file that is not there', () => createReadStream('/nonexistent/file')],
    ['a file that is not there, inside', async () => ({ file: createReadStream('/nonexistent/file') })],
    ['a stream whose close fails', () => new ReadableStream({ cancel: rejected })],
    [
      'a stream that is being read',
      () => {
        const stream = new ReadableStream({ pull: rejected });
        stream.getReader().closed.catch(() => {});
        return stream;
      },
    ],
  ])('lets nothing escape: %s', async (_what, execute) => {
    await told(does(execute, { readOnly: true, ...marks }), agent);
    await turns();
    expect(escaped).toEqual([]);
  });

  it('closes what is open in it', async () => {
    let cancelled = 0;
    const web = () => new ReadableStream({ cancel: () => void cancelled++ });
    const node = [Readable.from(['a']), new PassThrough()] as const;
    for (const value of [
      node[0],
      { stream: node[1] },
      web(),
      [web()],
      new Response(web()),
      { page: new Response(web()) },
    ])
      await told(
        does(() => value, { readOnly: true, ...marks }),
        agent,
      );
    expect(node.map(({ destroyed }) => destroyed)).toEqual([true, true]);
    expect(cancelled).toBe(4);
  });
});

it('a check may read what it is given before it is closed', async () => {
  const read: unknown[] = [];
  const checkResult = async (output: unknown) => {
    await Promise.resolve();
    if (output instanceof Response) read.push(await output.text());
    return true;
  };
  await told(
    does(() => new Response('the page'), { readOnly: true }),
    { checkResult },
  );
  expect(read).toEqual(['the page']);
});

it('what lies deeper, and what can only be written, is left open', async () => {
  const deep = new PassThrough();
  const log = new Writable();
  await told(does(() => ({ client: { socket: deep }, log }), { readOnly: true }));
  expect([deep.destroyed, log.destroyed]).toEqual([false, false]);
});
