/** Every kind of value that a tool may give: what the model is told of it. `values.test.ts` has what the record keeps. */
import { Readable } from 'node:stream';
import { makes, read, throws } from './contract-behaviours.ts';
import type { Does, Fate, Row } from './contract-play.ts';

const nothing = '(The tool succeeded and returned nothing.)';
const foundNothing = '(The tool succeeded and found nothing.)';
const notRead = 'its content was not read';

class Account {
  readonly owner = 'Ada';
  readonly #code = 7;
  code(): number {
    return this.#code;
  }
}

function circle(): object {
  const loop: { name: string; self?: unknown } = { name: 'loop' };
  loop.self = loop;
  return loop;
}

function deep(levels: number): unknown {
  let inside: unknown = 'leaf';
  for (let level = 0; level < levels; level++) inside = [inside];
  return inside;
}

function holes(): unknown[] {
  const list: unknown[] = [];
  list.length = 2 ** 31;
  return list;
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const fails = (): never => {
  throw new Error('no');
};
const opaque = () => new Proxy({}, { get: fails, has: fails, ownKeys: fails, getPrototypeOf: fails });
const thenable = (then: unknown) => ({ then });

type Told = string | RegExp;
const values: readonly (readonly [what: string, make: () => unknown, told: Told])[] = [
  ['undefined', () => undefined, nothing],
  ['null', () => null, nothing],
  ['an empty text', () => '', nothing],
  ['blanks', () => ' \n\t ', nothing],
  ['an empty list', () => [], foundNothing],
  ['an empty object', () => ({}), foundNothing],
  ['an empty map', () => new Map(), foundNothing],
  ['an empty set', () => new Set(), foundNothing],
  ['false', () => false, 'false'],
  ['zero', () => 0, '0'],
  ['minus zero', () => -0, '0'],
  ['NaN', () => Number.NaN, 'NaN'],
  ['infinity', () => Number.POSITIVE_INFINITY, 'Infinity'],
  ['NaN and infinity inside', () => [Number.NaN, -Infinity, -0], '["NaN","-Infinity",0]'],
  ['a big integer', () => 10n ** 20n, '100000000000000000000'],
  ['a symbol', () => Symbol('odd'), 'Symbol(odd)'],
  ['a function', () => () => 1, '(a function)'],
  ['a class', () => Account, '(a function)'],
  ['a date', () => new Date(0), '1970-01-01T00:00:00.000Z'],
  ['a date that is none', () => new Date(Number.NaN), '(an invalid date)'],
  ['a map', () => new Map([['a', new Set([1, 2])]]), '{"a":[1,2]}'],
  ['an error', () => new TypeError('The disk is full.'), /looks like[\s\S]*TypeError: The disk is full\./],
  ['a buffer', () => Buffer.from('four'), '(4 bytes of binary data: Buffer)'],
  ['an array buffer', () => new ArrayBuffer(8), '(8 bytes of binary data: ArrayBuffer)'],
  ['a blob', () => new Blob(['abc'], { type: 'image/png' }), '(3 bytes of binary data: Blob image/png)'],
  ['a stream of the web', () => new ReadableStream(), new RegExp(`^\\(ReadableStream: ${notRead}`)],
  ['a stream of Node', () => Readable.from(['a', 'b']), new RegExp(`^\\(stream: ${notRead}`)],
  ['a response', () => new Response('hi', { status: 503 }), new RegExp(`^\\(Response 503: ${notRead}`)],
  ['a circle', circle, '{"name":"loop","self":"(circular)"}'],
  ['a list in a list, 5,000 deep', () => deep(5_000), /^\[\[\[\[.*/],
  [
    'a getter that throws',
    () => Object.defineProperty({ a: 1 }, 'b', { enumerable: true, get: fails }),
    /"b":"\(cannot be shown\)"/,
  ],
  ['a toJSON that throws', () => ({ toJSON: fails }), '(cannot be shown)'],
  ['a proxy that throws, inside', () => [opaque()], '["(cannot be shown)"]'],
  ['a proxy that was revoked, inside', () => [revoked()], '["(cannot be shown)"]'],
  ['an instance of a class', () => new Account(), '{"owner":"Ada"}'],
  ['50,000,000 characters', () => 'x'.repeat(50_000_000), /^x+\n… \[truncated: \d+ of 50000000 characters/],
  ['a million numbers', () => Array.from({ length: 1_000_000 }, (_, n) => n), /^\[0,1,2,.*truncated/s],
  ['two thousand million holes', holes, /^\[null,null,.*truncated/s],
  ['half a character', () => 'a\ud800b', 'a\ufffdb'],
  ['Chinese text', () => ({ 价格: '十二元', 有货: true }), '{"价格":"十二元","有货":true}'],
  ['a key of every object', () => JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
  ['a promise of a promise', async () => Promise.resolve('seen'), 'seen'],
  [
    'a promise that settles twice',
    () => thenable((done: (value: string) => void) => ['one', 'two'].forEach(done)),
    'one',
  ],
  [
    'values piece by piece, and the last is nothing',
    async function* () {
      yield 1;
      yield undefined;
    },
    nothing,
  ],
  [
    'values, and what is returned',
    async function* () {
      yield 1;
      return 'sum';
    },
    'sum',
  ],
  ['values piece by piece, none at all', async function* () {}, nothing],
];

/** What does not give a value. */
const failures: readonly (readonly [what: string, does: Does, fate: Fate, tookMs?: number])[] = [
  ['a promise whose then throws', makes(() => thenable(fails)), ['failed', /^\[ToolError\] t failed: no\./]],
  [
    'a then that cannot be read',
    makes(() => Object.defineProperty({}, 'then', { get: fails })),
    ['failed', /failed: no\./],
  ],
  [
    'values that end in a throw',
    makes(async function* () {
      yield 1;
      fails();
    }),
    ['failed', /failed: no\./],
  ],
  [
    'values without end',
    makes(async function* () {
      for (;;) yield 1;
    }),
    ['failed', /t was left: it gave more than 10000 values without an end\./],
  ],
  [
    'a value, and then nothing for ever',
    makes(async function* () {
      yield 1;
      await new Promise(() => {});
    }),
    ['failed', /timed out: no result within 1 s/],
    1_000,
  ],
  ['a proxy that throws: whether it is a promise cannot be seen', makes(opaque), ['failed', /failed: no\./]],
  ['a proxy that was revoked', makes(revoked), ['failed', /failed: Cannot perform 'has' on a proxy/]],
  ['a throw of undefined', throws(undefined), ['failed', /^\[ToolError\] t failed: undefined\./]],
  ['a throw of an object', throws({ code: 7 }), ['failed', /^\[ToolError\] t failed: \{"code":7\}\./]],
  ['a throw of what cannot be read', throws(opaque()), ['failed', /^\[ToolError\] t failed: /]],
  [
    'a throw of an error with a stack in its message',
    throws(new Error('bad\n    at work (/srv/app.js:1:2)')),
    ['failed', /^\[ToolError\] t failed: bad\. /],
  ],
];

const says = [[{ tool: 't' }]] as const;

export const valueRows: readonly Row[] = [
  ...values.map(
    ([what, make, told]): Row => ({
      what: `${what} → ${typeof told === 'string' ? told : 'a text'}`,
      tools: { t: read(makes(make)) },
      says,
      calls: [['succeeded', told]],
      started: 't',
    }),
  ),
  ...failures.map(
    ([what, does, fate, tookMs = 0]): Row => ({
      what: `${what} → ${fate[0]}`,
      tools: { t: read(does) },
      says,
      calls: [fate],
      started: 't',
      tookMs,
    }),
  ),
];
