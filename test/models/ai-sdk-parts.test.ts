/** The parts of a stream as events: what is told of each, and what is not. */
import { expect, test } from 'vitest';
import type { ModelEvent } from '../../src/core/model.ts';
import { aiSdk } from '../../src/models/ai-sdk.ts';
import {
  call,
  delta,
  fakeModel,
  finishPart,
  type Part,
  pieces,
  reasonOf,
  stop,
  streaming,
  usageOf,
  type Version,
} from './ai-sdk-setup.ts';
import { callsOf, collect, lastOf, requestOf, textOf } from './asking.ts';

const ask = (parts: readonly unknown[], version: Version = 'v3') =>
  collect(aiSdk(streaming(parts, version)).generate(requestOf()));

const text = (said: string): ModelEvent => ({ type: 'text', text: said });
const end: ModelEvent = { type: 'end', finish: 'stop', usage: { inputTokens: 7, outputTokens: 3 } };
const search = { tool: 'search', input: '{"q":"x"}' };

const told: readonly (readonly [string, readonly unknown[], readonly ModelEvent[]])[] = [
  ['text in pieces', [delta('a'), delta('b')], [text('a'), text('b')]],
  [
    'a text between its marks',
    [{ type: 'text-start', id: '0' }, delta('a'), { type: 'text-end', id: '0' }],
    [text('a')],
  ],
  [
    'reasoning, kept apart',
    [{ type: 'reasoning-delta', id: 'r', delta: 'hm' }, delta('a')],
    [{ type: 'reasoning', text: 'hm' }, text('a')],
  ],
  ['empty pieces', [delta(''), { type: 'reasoning-delta', id: 'r', delta: '' }], []],
  [
    'warnings',
    [{ type: 'stream-start', warnings: [{ type: 'unsupported', feature: 'temperature' }] }, delta('a')],
    [text('a')],
  ],
  [
    'what is of no use',
    [
      { type: 'raw', rawValue: 1 },
      { type: 'ping' },
      { type: 'source', sourceType: 'url', id: '1', url: 'x' },
      { type: 'file', mediaType: 'image/png', data: 'AA==' },
      { type: 'response-metadata', id: '1' },
      { type: 'custom', kind: 'a.b' },
      { type: 'new-in-v9' },
    ],
    [],
  ],
  [
    'what is no part',
    [null, undefined, 'text', 7, [], { type: 7 }, { type: 'text-delta', delta: 7 }, { type: 'tool-call' }],
    [],
  ],
];

test.each(told)('%s', async (_, parts, events) => {
  expect(await ask([...parts, stop])).toEqual([...events, end]);
});

const calls: readonly (readonly [
  string,
  readonly Part[],
  readonly { readonly tool: string; readonly input: string }[],
])[] = [
  ['pieces alone', pieces('c', 'search', '{"q":', '"x"}'), [search]],
  ['the whole alone', [call('c', 'search', search.input)], [search]],
  ['pieces, then the whole', [...pieces('c', 'search', '{"q":', '"x"}'), call('c', 'search', search.input)], [search]],
  ['a start without pieces, then the whole', [...pieces('c', 'search'), call('c', 'search', search.input)], [search]],
  [
    'pieces that stop early, then the whole',
    [...pieces('c', 'search', '{"q"'), call('c', 'search', search.input)],
    [search],
  ],
  [
    'pieces with other white space than the whole',
    [...pieces('c', 'search', '{ "q": "x" }'), call('c', 'search', search.input)],
    [{ tool: 'search', input: '{ "q": "x" }' }],
  ],
  [
    'pieces that are no JSON, then the whole',
    [
      { type: 'tool-input-start', id: 'c', toolName: 'search', inputEncoding: 'text' },
      { type: 'tool-input-delta', id: 'c', delta: 'x' },
      call('c', 'search', search.input),
    ],
    [search],
  ],
  [
    'two calls whose pieces are mixed',
    [
      { type: 'tool-input-start', id: 'a', toolName: 'search' },
      { type: 'tool-input-start', id: 'b', toolName: 'now' },
      { type: 'tool-input-delta', id: 'a', delta: '{"q":' },
      { type: 'tool-input-delta', id: 'b', delta: '{}' },
      { type: 'tool-input-delta', id: 'a', delta: '"x"}' },
      call('b', 'now', '{}'),
      call('a', 'search', search.input),
    ],
    [search, { tool: 'now', input: '{}' }],
  ],
  ['the same call twice', [call('c', 'search', search.input), call('c', 'search', search.input)], [search]],
  [
    'another call under the same id',
    [call('c', 'now', ''), call('c', 'search', search.input)],
    [{ tool: 'now', input: '' }, search],
  ],
  ['an input that is empty', [...pieces('c', 'now'), call('c', 'now', '')], [{ tool: 'now', input: '' }]],
  [
    'what the provider runs by itself',
    [
      { type: 'tool-input-start', id: 'w', toolName: 'web', providerExecuted: true },
      { type: 'tool-input-delta', id: 'w', delta: '{}' },
      call('w', 'web', '{}'),
      call('v', 'web', '{}', { providerExecuted: true }),
      { type: 'tool-result', toolCallId: 'w', toolName: 'web', result: { found: 1 } },
      call('c', 'search', search.input),
    ],
    [search],
  ],
];

test.each(calls)('calls: %s', async (_, parts, expected) => {
  const events = await ask([...parts, finishPart('v3', 'tool-calls')]);
  expect(callsOf(events)).toEqual(expected);
  expect(lastOf(events)).toEqual(end);
});

test('the pieces of a call share an index, and the first has the id', async () => {
  const events = await ask([...pieces('x', 'a', '1'), call('y', 'b', '2'), stop]);
  expect(events.filter(({ type }) => type === 'call')).toEqual([
    { type: 'call', index: 0, id: 'x', tool: 'a', input: '' },
    { type: 'call', index: 0, id: null, tool: '', input: '1' },
    { type: 'call', index: 1, id: 'y', tool: 'b', input: '2' },
  ]);
});

test.each([
  ['another input', call('c', 'search', '{"q":"y"}')],
  ['another tool', call('c', 'delete', '{"q":"x"}')],
])('a call whose whole has %s than its pieces is not run', async (_, whole) => {
  const events = await ask([...pieces('c', 'search', '{"q":"x"}'), whole, stop]);
  expect(lastOf(events)).toMatchObject({
    type: 'failed',
    failure: 'unreadable',
    message: expect.stringContaining('two ways'),
  });
});

const endings: readonly (readonly [Version, string, string | undefined, string, string])[] = [
  ...(['v2', 'v3', 'v4'] as const).flatMap((version) => [
    [version, 'stop', undefined, 'stop', 'stop'] as const,
    [version, 'tool-calls', undefined, 'stop', 'stop'] as const,
    [version, 'length', undefined, 'length', 'length'] as const,
    [version, 'content-filter', undefined, 'content_filter', 'content_filter'] as const,
    [version, 'error', undefined, 'broke_off', 'broke_off'] as const,
  ]),
  ['v2', 'unknown', undefined, 'broke_off', 'stop'],
  ['v2', 'other', undefined, 'broke_off', 'broke_off'],
  ['v3', 'other', undefined, 'broke_off', 'stop'],
  ['v3', 'other', 'eos', 'stop', 'stop'],
  ['v3', 'other', 'MAX_TOKENS', 'length', 'length'],
  ['v3', 'other', 'pause_turn', 'broke_off', 'broke_off'],
  ['v4', 'interrupted', undefined, 'broke_off', 'broke_off'],
];

test.each(endings)(
  '%s ends with %s (%s): streamed %s, in one piece %s',
  async (version, unified, raw, streamed, whole) => {
    const finish = { type: 'finish', finishReason: reasonOf(version, unified, raw), usage: usageOf(version, 7, 3) };
    const content = [{ type: 'text', text: 'a' }];
    const generate = () => ({ content, ...finish, type: undefined });
    const said = await ask([delta('a'), finish], version);
    const given = await collect(aiSdk(fakeModel(version, { generate })).generate(requestOf()));
    const endOf = (events: readonly ModelEvent[]) => {
      const last = lastOf(events);
      return last?.type === 'end' ? last.finish : last?.type === 'failed' ? last.failure : last;
    };
    expect([endOf(said), endOf(given)]).toEqual([streamed, whole]);
    expect([textOf(said), textOf(given)]).toEqual(['a', 'a']);
  },
);

const cached = { inputTokens: 7, outputTokens: 3, cachedInputTokens: 5 };
const usages: readonly (readonly [string, unknown, unknown])[] = [
  ['numbers', { inputTokens: 7, outputTokens: 3 }, { inputTokens: 7, outputTokens: 3 }],
  ['numbers within', usageOf('v3', 7, 3), { inputTokens: 7, outputTokens: 3 }],
  ['numbers and what the cache gave', { inputTokens: 7, outputTokens: 3, cachedInputTokens: 5 }, cached],
  [
    'numbers and what the cache gave, within',
    { inputTokens: { total: 7, noCache: 2, cacheRead: 5, cacheWrite: 0 }, outputTokens: { total: 3 } },
    cached,
  ],
  [
    'what the cache gave is no number',
    { inputTokens: 7, outputTokens: 3, cachedInputTokens: '5' },
    { inputTokens: 7, outputTokens: 3 },
  ],
  ['zeros', usageOf('v3', 0, 0), { inputTokens: 0, outputTokens: 0 }],
  [
    'a sum and one part',
    { inputTokens: 7, outputTokens: undefined, totalTokens: 10 },
    { inputTokens: 7, outputTokens: 3 },
  ],
  [
    'a sum alone',
    { inputTokens: undefined, outputTokens: undefined, totalTokens: 10 },
    { inputTokens: 10, outputTokens: 0 },
  ],
  ['nothing', usageOf('v2', undefined, undefined), null],
  ['nothing within', usageOf('v3', undefined, undefined), null],
  ['half', usageOf('v3', 7, undefined), null],
  ['no numbers', { inputTokens: Number.NaN, outputTokens: -1, totalTokens: 'many' }, null],
  ['no usage', undefined, null],
];

test.each(usages)('usage: %s', async (_, usage, expected) => {
  const events = await ask([delta('a'), { ...stop, usage }]);
  expect(lastOf(events)).toEqual({ type: 'end', finish: 'stop', usage: expected });
});

test('a reply in one piece: reasoning, text and calls in their order', async () => {
  const content = [
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'a' },
    { type: 'source', sourceType: 'url' },
    call('w', 'web', '{}', { providerExecuted: true }),
    call('c', 'search', search.input),
    null,
  ];
  const fake = fakeModel('v3', {
    generate: () => ({ content, finishReason: reasonOf('v3', 'tool-calls'), usage: usageOf('v3', 7, 3) }),
  });
  const events = await collect(aiSdk(fake).generate(requestOf()));
  expect(events.map(({ type }) => type)).toEqual(['reasoning', 'text', 'call', 'end']);
  expect(callsOf(events)).toEqual([search]);
});
