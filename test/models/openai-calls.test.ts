/** Tool calls as servers send them, and the events that the adapter makes of them: nothing is put together or mended. */
import { describe, expect, test } from 'vitest';
import type { ModelEvent } from '../../src/core/model.ts';
import { collect, lastOf, requestOf, textOf } from './asking.ts';
import { delta, serve, sse } from './openai-setup.ts';

const piece = (index: number | null, tool: string, input: string, id: string | null = null): ModelEvent => ({
  type: 'call',
  index,
  id,
  tool,
  input,
});
const said = (message: object, finish: string | null = null) => ({
  choices: [{ delta: message, finish_reason: finish }],
});
const called = (...calls: readonly unknown[]) => said({ tool_calls: calls });
const fn = (name: unknown, input: unknown, more: object = {}) => ({ ...more, function: { name, arguments: input } });
const over = said({}, 'tool_calls');

const rows: readonly (readonly [string, readonly object[], readonly ModelEvent[]])[] = [
  [
    'parallel calls',
    [
      called(fn('f', '{"a":1}', { index: 0, id: 'x', type: 'function' })),
      called(fn('g', '{}', { index: 1, id: 'y' })),
      over,
    ],
    [piece(0, 'f', '{"a":1}', 'x'), piece(1, 'g', '{}', 'y')],
  ],
  [
    'two calls in one chunk',
    [called(fn('f', '{}', { index: 0, id: 'x' }), fn('g', '{}', { index: 1, id: 'y' })), over],
    [piece(0, 'f', '{}', 'x'), piece(1, 'g', '{}', 'y')],
  ],
  [
    'arguments in pieces, the calls mixed',
    [
      called(fn('f', '', { index: 0, id: 'x' })),
      called(fn('g', '{"b"', { index: 1, id: 'y' })),
      called({ index: 0, function: { arguments: '{"a":' } }),
      called({ index: 1, function: { arguments: ':2}' } }, { index: 0, function: { arguments: '1}' } }),
      over,
    ],
    [
      piece(0, 'f', '', 'x'),
      piece(1, 'g', '{"b"', 'y'),
      piece(0, '', '{"a":'),
      piece(1, '', ':2}'),
      piece(0, '', '1}'),
    ],
  ],
  [
    'the name in pieces',
    [called(fn('fe', '', { index: 0 })), called(fn('tch', '', { index: 0 })), over],
    [piece(0, 'fe', ''), piece(0, 'tch', '')],
  ],
  [
    'ids that are missing, null or empty',
    [
      called(fn('f', '{}', { index: 0 })),
      called(fn('g', '{}', { index: 1, id: null })),
      called(fn('h', '{}', { index: 2, id: '' })),
      over,
    ],
    [piece(0, 'f', '{}'), piece(1, 'g', '{}'), piece(2, 'h', '{}')],
  ],
  [
    'no index',
    [called(fn('f', '{"a"', { id: 'x' })), called(fn(undefined, ':1}')), over],
    [piece(null, 'f', '{"a"', 'x'), piece(null, '', ':1}')],
  ],
  [
    'no index, and several in one chunk',
    [called(fn('f', ''), fn('g', '')), over],
    [piece(0, 'f', ''), piece(1, 'g', '')],
  ],
  [
    'an index that is no count',
    [called(fn('f', '{}', { index: '0' })), called(fn('g', '{}', { index: -1 })), over],
    [piece(null, 'f', '{}'), piece(null, 'g', '{}')],
  ],
  [
    'one index for all',
    [called(fn('f', '{}', { index: 0, id: 'x' })), called(fn('g', '{}', { index: 0, id: 'y' })), over],
    [piece(0, 'f', '{}', 'x'), piece(0, 'g', '{}', 'y')],
  ],
  ['arguments that are an object', [called(fn('f', { a: [1] }, { index: 0 })), over], [piece(0, 'f', '{"a":[1]}')]],
  [
    'arguments that are null, missing or a number',
    [
      called(fn('f', null, { index: 0 })),
      called({ index: 1, function: { name: 'g' } }),
      called(fn('h', 5, { index: 2 })),
      over,
    ],
    [piece(0, 'f', ''), piece(1, 'g', ''), piece(2, 'h', '')],
  ],
  ['arguments that are no JSON', [called(fn('f', 'tide {', { index: 0 })), over], [piece(0, 'f', 'tide {')]],
  [
    'calls that are none',
    [called(null, 7, 'f', { index: 0 }, { index: 1, function: 'f' }), over],
    [piece(0, '', ''), piece(1, '', '')],
  ],
  [
    'lists that are null or empty',
    [
      said({ content: '', tool_calls: null, function_call: null }),
      said({ content: '', tool_calls: [] }),
      said({}, 'stop'),
    ],
    [],
  ],
  [
    'function_call of old servers',
    [
      said({ function_call: { name: 'f', arguments: '' } }),
      said({ tool_calls: [], function_call: { arguments: '{"a":' } }),
      said({ function_call: { arguments: '1}' } }),
      said({}, 'function_call'),
    ],
    [piece(0, 'f', ''), piece(0, '', '{"a":'), piece(0, '', '1}')],
  ],
  [
    'both forms of one call',
    [said({ tool_calls: [fn('f', '{}', { index: 0 })], function_call: { name: 'f', arguments: '{}' } }), over],
    [piece(0, 'f', '{}')],
  ],
  [
    'finish_reason in the chunk of the call',
    [said({ tool_calls: [fn('f', '{}', { index: 0 })] }, 'tool_calls')],
    [piece(0, 'f', '{}')],
  ],
];

describe.each([1, 2, 3])('a stream, cut by seed %i', (seed) => {
  test.each(rows)('%s', async (_what, chunks, pieces) => {
    const { model } = await serve({ body: sse(...chunks, '[DONE]') }, { seed });
    const events = await collect(model.generate(requestOf()));
    expect(events.filter(({ type }) => type === 'call')).toEqual(pieces);
    expect(lastOf(events)).toEqual({ type: 'end', finish: 'stop', usage: null });
  });

  test('text, reasoning and calls, in the order in which they came', async () => {
    const chunks = [
      said({ reasoning_content: 'hm' }),
      delta('I '),
      said({ content: 'look.', tool_calls: [fn('f', '{}')] }),
      over,
    ];
    const { model } = await serve({ body: sse(...chunks, '[DONE]') }, { seed });
    const events = await collect(model.generate(requestOf()));
    expect(events.map(({ type }) => type)).toEqual(['reasoning', 'text', 'text', 'call', 'end']);
    expect([textOf(events, 'reasoning'), textOf(events)]).toEqual(['hm', 'I look.']);
  });

  test.each([
    ['a stream that stops inside the arguments', [called(fn('f', '{"a', { index: 0 }))], 'broke_off'],
    ['one that stops behind a whole call', [called(fn('f', '{}', { index: 0 }))], 'broke_off'],
    ['an error behind a call', [called(fn('f', '{}', { index: 0 })), { error: 'overloaded' }], 'refused'],
    ['a finish_reason that nobody knows', [called(fn('f', '{}', { index: 0 })), said({}, 'tired')], 'broke_off'],
  ])('%s has failed', async (_what, chunks, failure) => {
    const { model } = await serve({ body: sse(...chunks) }, { seed });
    expect(lastOf(await collect(model.generate(requestOf())))).toMatchObject({ type: 'failed', failure });
  });
});

test('[DONE] behind a call is an end, also without a finish_reason', async () => {
  const { model } = await serve({ body: sse(called(fn('f', '{}')), '[DONE]') });
  expect(lastOf(await collect(model.generate(requestOf())))).toMatchObject({ type: 'end', finish: 'stop' });
});

const documents: readonly (readonly [string, object, readonly ModelEvent[]])[] = [
  [
    'calls',
    { content: null, tool_calls: [fn('f', '{"a":1}', { id: 'x' }), fn('g', '{}', { id: 'y' })] },
    [piece(0, 'f', '{"a":1}', 'x'), piece(1, 'g', '{}', 'y')],
  ],
  [
    'two calls without id and arguments',
    { tool_calls: [fn('f', ''), fn('g', '')] },
    [piece(0, 'f', ''), piece(1, 'g', '')],
  ],
  [
    'one index for all',
    { tool_calls: [fn('f', '', { index: 0 }), fn('f', '', { index: 0 })] },
    [piece(0, 'f', ''), piece(1, 'f', '')],
  ],
  ['function_call', { content: null, function_call: { name: 'f', arguments: { a: 1 } } }, [piece(0, 'f', '{"a":1}')]],
];

test.each(documents)('a reply in one piece: %s', async (_what, message, pieces) => {
  const body = JSON.stringify({ choices: [{ message, finish_reason: 'tool_calls' }] });
  const { model } = await serve({ body }, { stream: false, seed: 5 });
  const events = await collect(model.generate(requestOf()));
  expect(events).toEqual([...pieces, { type: 'end', finish: 'stop', usage: null }]);
});
