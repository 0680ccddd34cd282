/** How servers send the pieces of calls, and what is put together from them. */
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import type { CallPiece } from '../../src/core/model.ts';
import { createCallPieces } from '../../src/protocol/native-calls.ts';
import { wireNames } from '../../src/protocol/wire-names.ts';

const piece = (index: number | null, tool: string, input: string, id: string | null = null): CallPiece => ({
  type: 'call',
  index,
  id,
  tool,
  input,
});

function put(pieces: readonly CallPiece[]) {
  const taken = createCallPieces();
  pieces.forEach(taken.take);
  return taken.calls();
}

const a = { tool: 'f', input: { a: 1 } };
const b = { tool: 'g', input: { b: 2 } };

describe('pieces become calls', () => {
  test.each<[string, readonly CallPiece[], readonly object[]]>([
    ['in one piece', [piece(0, 'f', '{"a":1}', 'x')], [a]],
    ['the input in pieces', [piece(0, 'f', '', 'x'), piece(0, '', '{"a"'), piece(0, '', ':1}')], [a]],
    ['two calls, one after the other', [piece(0, 'f', '{"a":1}', 'x'), piece(1, 'g', '{"b":2}', 'y')], [a, b]],
    [
      'two calls, mixed',
      [piece(0, 'f', '{"a"'), piece(1, 'g', '{"b"'), piece(0, '', ':1}'), piece(1, '', ':2}')],
      [a, b],
    ],
    [
      'one index for two calls, told apart by ids',
      [piece(0, 'f', '{"a":1}', 'x'), piece(0, 'g', '{"b":2}', 'y')],
      [a, b],
    ],
    ['one index for two calls, without ids', [piece(0, 'f', '{"a":1}'), piece(0, 'g', '{"b":2}')], [a, b]],
    ['two equal calls, without ids', [piece(0, 'f', '{"a":1}'), piece(0, 'f', '{"a":1}')], [a, a]],
    ['no index and no id', [piece(null, 'f', '{"a":'), piece(null, '', '1}'), piece(null, 'g', '{"b":2}')], [a, b]],
    [
      'no index, ids in each piece',
      [piece(null, 'f', '{"a":', 'x'), piece(null, '', '1}', 'x'), piece(null, 'g', '{"b":2}', 'y')],
      [a, b],
    ],
    [
      'no index, mixed, told apart by ids',
      [
        piece(null, 'f', '{"a"', 'x'),
        piece(null, 'g', '{"b"', 'y'),
        piece(null, '', ':1}', 'x'),
        piece(null, '', ':2}', 'y'),
      ],
      [a, b],
    ],
    ['a new id with each piece', [piece(0, 'f', '', 'x'), piece(0, '', '{"a"', 'y'), piece(0, '', ':1}', 'z')], [a]],
    ['one id for two calls', [piece(0, 'f', '{"a":1}', 'x'), piece(0, 'g', '{"b":2}', 'x')], [a, b]],
    ['name and id once more at the end', [piece(0, 'f', '{"a":1}', 'x'), piece(0, 'f', '', 'x')], [a]],
    [
      'two calls without input',
      [piece(0, 'f', '', 'x'), piece(0, '', '', 'y'), piece(0, 'g', '')],
      [
        { tool: 'f', input: {} },
        { tool: 'g', input: {} },
      ],
    ],
    ['the index only at first', [piece(0, 'f', '{"a"', 'x'), piece(null, '', ':1}')], [a]],
    ['an empty object before the input', [piece(0, 'f', '{}', 'x'), piece(0, '', '{"a"'), piece(0, '', ':1}')], [a]],
    ['closers missing', [piece(0, 'f', '{"a":[1,"x"]')], [{ tool: 'f', input: { a: [1, 'x'] }, repaired: true }]],
    ['cut in a string', [piece(0, 'f', '{"a":"/tmp/')], [{ tool: 'f', unread: '{"a":"/tmp/' }]],
    ['cut in a number', [piece(0, 'f', '{"a":1')], [{ tool: 'f', unread: '{"a":1' }]],
    [
      'two objects, one behind the other',
      [piece(0, 'f', '{"a":1}\n{"a":2}')],
      [{ tool: 'f', unread: '{"a":1}\n{"a":2}' }],
    ],
    ['a list that was cut', [piece(0, 'f', '["a')], [{ tool: 'f', unread: '["a' }]],
    ['a fence', [piece(0, 'f', '```json\n{"a":1}\n```')], [{ ...a, repaired: true }]],
    ['a fence that was cut', [piece(0, 'f', '```json\n{"a":1')], [{ tool: 'f', unread: '```json\n{"a":1' }]],
    ['plain text in a fence', [piece(0, 'f', '```\ntide\n```')], [{ tool: 'f', unread: '```\ntide\n```' }]],
    ['cut, as JSON in a string', [piece(0, 'f', '"{\\"a\\":"')], [{ tool: 'f', unread: '{"a":' }]],
    ['the name with every piece', [piece(0, 'f', '{"a"', 'x'), piece(0, 'f', ':1}', 'x')], [a]],
    [
      'the name in pieces',
      [piece(0, 'fe', ''), piece(0, 'tch', ''), piece(0, '', '{"a":1}')],
      [{ tool: 'fetch', input: { a: 1 } }],
    ],
    ['the name behind the input', [piece(0, '', '{"a":'), piece(0, '', '1}', 'x')], [{ tool: '', input: { a: 1 } }]],
    ['no input at all', [piece(0, 'f', '', 'x')], [{ tool: 'f', input: {} }]],
    ['white space for an input', [piece(0, 'f', ' \n'), piece(0, '', ' ')], [{ tool: 'f', input: {} }]],
    ['an index that begins late', [piece(3, 'f', '{"a":1}')], [a]],
    ['nothing in a piece', [piece(0, '', '', 'x')], []],
    ['a brace in a string', [piece(0, 'f', '{"a":"}'), piece(0, 'f', '{"}')], [{ tool: 'f', input: { a: '}{' } }]],
  ])('%s', (_how, pieces, calls) => {
    expect(put(pieces)).toEqual(calls);
  });

  property.prop([
    fc.array(fc.tuple(fc.constantFrom('f', 'g'), fc.jsonValue({ maxDepth: 2 })), { maxLength: 4 }),
    fc.integer({ min: 1, max: 7 }),
  ])('any calls, however they are cut', (calls, length) => {
    const wanted = calls.map(([tool, value]) => ({ tool, input: { value: JSON.parse(JSON.stringify(value)) } }));
    const pieces = wanted.flatMap(({ tool, input }, index) => {
      const text = JSON.stringify(input);
      return Array.from({ length: Math.ceil(text.length / length) }, (_, place) =>
        piece(index, place === 0 ? tool : '', text.slice(place * length, (place + 1) * length)),
      );
    });
    expect(put(pieces)).toEqual(wanted);
  });
});

describe('names on the wire', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['fitting names stay', ['search', 'Find-2'], ['search', 'Find-2']],
    ['what does not fit becomes a line', ['save note', 'a.b/c'], ['save_note', 'a_b_c']],
    ['two that would be equal differ', ['a b', 'a_b', 'a.b'], ['a_b_2', 'a_b', 'a_b_3']],
    ['without a letter', ['查询', '🙂'], ['tool', 'tool_2']],
    ['too long', ['x'.repeat(80), 'x'.repeat(90)], ['x'.repeat(64), `${'x'.repeat(58)}_2`]],
    ['like a property of every object', ['__proto__', 'constructor'], ['__proto__', 'constructor']],
  ])('%s', (_what, tools, wanted) => {
    const names = wireNames(tools);
    expect(tools.map(names.toWire)).toEqual(wanted);
    expect(wanted.map(names.fromWire)).toEqual(tools);
  });

  property.prop([
    fc.uniqueArray(fc.string({ minLength: 1, maxLength: 70, unit: 'binary' }), { maxLength: 20 }),
    fc.string(),
  ])('are fit, different, and lead back to their tools', (tools, unknown) => {
    const names = wireNames(tools);
    const wire = tools.map(names.toWire);
    for (const name of [...wire, names.toWire(unknown)]) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(new Set(wire).size).toBe(tools.length);
    expect(wire.map(names.fromWire)).toEqual(tools);
  });
});
