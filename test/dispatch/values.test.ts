/** Every kind of value that a tool can return becomes a text, and JSON for the record where it is JSON. */
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { gives, told } from './told.ts';

const circular: { name: string; self?: unknown } = { name: 'loop' };
circular.self = circular;
const hostile = new Proxy(
  {},
  {
    ownKeys() {
      throw new Error('no');
    },
  },
);
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
const getterThrows = {
  kept: 1,
  get broken(): never {
    throw new Error('no');
  },
};
class Account {
  readonly owner = 'Ada';
  readonly #secret = 's3cret';
  reveal(): string {
    return this.#secret;
  }
}
class Money {
  toJSON(): string {
    return '12.50 EUR';
  }
}
class Hidden {
  readonly #inside = 1;
  look(): number {
    return this.#inside;
  }
}
const longChain = Array.from({ length: 40 }).reduce<Error>(
  (cause, _, index) => new Error(`e${index}`, { cause }),
  new Error('root'),
);
const crossRealm = { [Symbol.toStringTag]: 'Error', name: 'RangeError', message: 'from elsewhere' };
const endlessMap = new Map(Array.from({ length: 200_000 }, (_, index) => [index, index]));

/** `output` is what the record has; undefined where it is not looked at. */
type Row = [what: string, value: unknown, observation: string | RegExp, output?: unknown];
const rows: readonly Row[] = [
  ['a text', 'seen', 'seen', 'seen'],
  ['a number', 4.5, '4.5', 4.5],
  ['zero', 0, '0', 0],
  ['no number', Number.NaN, 'NaN', 'NaN'],
  ['infinity', -Infinity, '-Infinity', '-Infinity'],
  ['false', false, 'false', false],
  ['a big integer', 2n ** 70n, '1180591620717411303424', '1180591620717411303424'],
  ['undefined', undefined, '(The tool succeeded and returned nothing.)', null],
  ['null', null, '(The tool succeeded and returned nothing.)', null],
  ['an object', { a: [1, null, 'x'] }, '{"a":[1,null,"x"]}', { a: [1, null, 'x'] }],
  ['a member that is undefined', { a: undefined, b: 1 }, '{"b":1}', { b: 1 }],
  ['a key like a property of every object', JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
  ['a circle', circular, '{"name":"loop","self":"(circular)"}', { name: 'loop', self: '(circular)' }],
  ['a date', new Date(0), '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z'],
  ['a date that is none', new Date(Number.NaN), '(an invalid date)', null],
  [
    'dates inside',
    { at: [new Date(0), new Date(Number.NaN)] },
    '{"at":["1970-01-01T00:00:00.000Z","(an invalid date)"]}',
  ],
  [
    'a map',
    new Map<unknown, unknown>([
      ['k', 1],
      [2, new Map([['in', true]])],
    ]),
    '{"2":{"in":true},"k":1}',
  ],
  ['a map with objects for keys', new Map([[{ id: 7 }, 'x']]), '{"{\\"id\\":7}":"x"}'],
  ['a map that is large', endlessMap, /^\{"0":0,.*truncated/s],
  ['a set', new Set([1, new Set(['a'])]), '[1,["a"]]', [1, ['a']]],
  ['an address', new URL('https://example.org/a?b=1'), 'https://example.org/a?b=1', 'https://example.org/a?b=1'],
  ['parameters of an address', new URLSearchParams('a=1&b=2'), 'a=1&b=2'],
  ['a pattern', /a+/gi, '/a+/gi'],
  ['boxed values', [Object('a'), Object(1), Object(true)], '["a","1","true"]'],
  ['bytes', new Uint8Array(5), '(5 bytes of binary data: Uint8Array)', null],
  ['a view of numbers', new Float64Array(4), '(32 bytes of binary data: Float64Array)', null],
  ['a buffer of Node', Buffer.from('hello'), '(5 bytes of binary data: Buffer)', null],
  ['an array buffer', new ArrayBuffer(9), '(9 bytes of binary data: ArrayBuffer)', null],
  ['bytes inside', { image: new Uint8Array(3) }, '{"image":"(3 bytes of binary data: Uint8Array)"}'],
  ['a blob', new Blob(['abc'], { type: 'image/png' }), '(3 bytes of binary data: Blob image/png)', null],
  [
    'a stream of the web',
    new ReadableStream(),
    /^\(ReadableStream: its content was not read; the tool has to read it/,
    null,
  ],
  ['a stream of Node', Readable.from(['a']), /^\(stream: its content was not read/, null],
  ['a response', new Response('hi', { status: 404 }), /^\(Response 404: its content was not read/, null],
  [
    'a response of a library',
    { status: 200, headers: {}, text: () => '', json: () => '' },
    /^\(Response 200: its content was/,
  ],
  ['a promise inside', { later: Promise.resolve(1) }, /"\(Promise: its content was not read/],
  ['a generator', (function* () {})(), /^\(Iterator: its content was not read/],
  ['a function', () => 1, '(a function)', null],
  ['a function inside', { run: () => 1, n: 1 }, '{"run":"(a function)","n":1}'],
  ['a symbol', Symbol('odd'), 'Symbol(odd)', null],
  ['an instance of a class', new Account(), '{"owner":"Ada"}', { owner: 'Ada' }],
  ['an instance with toJSON', new Money(), '12.50 EUR', '12.50 EUR'],
  ['an instance with nothing to show', new Hidden(), '(Hidden: nothing that can be shown)', null],
  ['a weak map', new WeakMap(), '(WeakMap: nothing that can be shown)', null],
  ['a getter that throws', getterThrows, '{"kept":1,"broken":"(cannot be shown)"}'],
  ['a toJSON that throws', { toJSON: () => hostile.toString.call(revoked) }, '(cannot be shown)', null],
  ['a proxy that throws', hostile, '(cannot be shown)', null],
  ['a proxy that was revoked, inside', [revoked], '["(cannot be shown)"]'],
  ['an error inside', { e: new TypeError('bad') }, '{"e":"TypeError: bad"}'],
  [
    'an error with a cause',
    [new Error('outer', { cause: new RangeError('inner') })],
    '["Error: outer (caused by RangeError: inner)"]',
  ],
  ['an error with forty causes', [longChain], /^\["Error: e39 \(caused by Error: e38 .* Error: e35\){4}"\]$/],
  [
    'several errors in one',
    [new AggregateError([new Error('a'), 'b'], 'all')],
    '["AggregateError: all (caused by Error: a; b)"]',
  ],
  ['an error of another realm', [crossRealm], '["RangeError: from elsewhere"]'],
  ['half a character', 'a\ud800b\udc00c', 'a\ufffdb\ufffdc', 'a\ud800b\udc00c'],
  ['a whole character', 'a\u{1f600}b', 'a\u{1f600}b'],
  ['control characters', 'a\0b\u001b[31mred\u0007\u007f\u009b', 'a\u2400b\u241b[31mred\u2407\u2421\ufffd'],
  ['tabs and line ends', 'a\tb\r\nc', 'a\tb\r\nc'],
];

describe('the observation of', () => {
  it.each<Row>(rows)('%s', async (_what, value, observation, output) => {
    const { settled } = await told(gives(value));
    expect(settled.result).toBe('succeeded');
    if (typeof observation === 'string') expect(settled.observation).toBe(observation);
    else expect(settled.observation).toMatch(observation);
    if (output !== undefined) expect(settled.output).toEqual(output);
  });
});

describe('bounded in size, and nothing of the record is too large', () => {
  const shared = Array.from({ length: 60 }).reduce<unknown>((inside) => [inside, inside], 'leaf');
  const deep = Array.from({ length: 5_000 }).reduce<unknown>((inside) => [inside], 'leaf');
  const sparse: unknown[] = [];
  sparse.length = 2 ** 31;
  const long = 'x'.repeat(50_000_000);
  it.each([
    ['fifty million characters', long],
    ['fifty million characters, a thousand times', Array.from({ length: 1_000 }, () => long)],
    ['a key of fifty million characters', { [long]: 1 }],
    ['fifty million blanks', ' '.repeat(50_000_000)],
    ['an object that grows without end', shared],
    ['a list in a list, five thousand deep', deep],
    ['two thousand million holes', sparse],
    [
      'a list that says it is longer than it is',
      new Proxy([1], { get: (list, key) => (key === 'length' ? 2 ** 40 : Reflect.get(list, key)) }),
    ],
    ['a toJSON that gives the next one, for ever', endless()],
    ['a million members', Object.fromEntries(Array.from({ length: 1_000_000 }, (_, index) => [`k${index}`, index]))],
  ])('%s', async (_what, value) => {
    const { settled } = await told(gives(value));
    expect(settled.observation.length).toBeLessThan(4_900);
    expect(JSON.stringify(settled.output).length).toBeLessThanOrEqual(100_000);
    expect(settled.resultKey.length).toBeLessThan(200);
  });
});

function endless(): object {
  return { toJSON: () => endless() };
}

it('says it in Chinese where the agent speaks it', async () => {
  const zh = (value: unknown) => told(gives(value), { language: 'zh' }).then(({ observation }) => observation);
  expect(await zh(undefined)).toBe('（工具执行成功，没有返回内容。）');
  expect(await zh([circular, new Uint8Array(2), () => 1, getterThrows])).toBe(
    '[{"name":"loop","self":"（循环引用）"},"（2 字节的二进制数据：Uint8Array）","（函数）",{"kept":1,"broken":"（无法显示）"}]',
  );
});
