import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../src/core/json.ts';
import { readArguments, readInput } from '../../src/protocol/input-text.ts';
import { deepestNesting, parseJson, repairJson } from '../../src/protocol/repair.ts';

/** `undefined`: meant as JSON, and not readable. */
type Row = readonly [text: string, input: JsonValue | undefined, repaired?: boolean];

const named = ([text, input, repaired = false]: Row) => ({ text, input, repaired });

const rows: readonly Row[] = [
  ['', null],
  [' \n ', null],
  ['{"a": 1}', { a: 1 }],
  ['[1, 2]', [1, 2]],
  ['"tide"', 'tide'],
  ['tide', 'tide'],
  ['42', '42'],
  ['null', 'null'],
  ["'tide'", "'tide'"],
  ['"tide" and "moon"', '"tide" and "moon"'],
  ['"never closed', '"never closed'],
  ['[1, 2].length', '[1, 2].length'],
  ['[1, 2]\nthen wait', [1, 2]],
  ['{"a": 1} then wait', { a: 1 }],
  ['{a: 1}', { a: 1 }, true],
  ["{'a': True}", { a: true }, true],
  ["{'a': 'x\\'y'}", { a: "x'y" }, true],
  ["{'say': 'he said \"no\"'}", { say: 'he said "no"' }, true],
  ['{"a": 1,}', { a: 1 }, true],
  ['{"a": 1 /* one */, # two\n "b": 2}', { a: 1, b: 2 }, true],
  ['{"url": "http://x/#y"}', { url: 'http://x/#y' }],
  ['{"url": "http://x/#y",}', { url: 'http://x/#y' }, true],
  ['{"a": "x\ty\nz"}', { a: 'x\ty\nz' }, true],
  ['{"path": "C:\\dir\\new"}', { path: 'C:\\dir\new' }, true],
  ['{"u": "\\u12"}', { u: '\\u12' }, true],
  ['{"a": {"b": [1', { a: { b: [1] } }, true],
  ['{"a": "b', { a: 'b' }, true],
  ['{"a": 12', { a: 12 }, true],
  ['{"a": true', { a: true }, true],
  ['{"a": tr', undefined],
  ['{"a": -', undefined],
  ['{"a": 1.', undefined],
  ['{"a": "b": "c"}', undefined],
  ['{"a": }', undefined],
  ['{"a": , "b": 1}', undefined],
  ['{', undefined],
  ['{"a', undefined],
  ['{"a"', undefined],
  ["{'a'", undefined],
  ['{"a": ', undefined],
  ['{"a": 1,', undefined],
  ['{"a": 1, "b', undefined],
  ['{"a": 1, b', undefined],
  ['{"a": 1, "b":', undefined],
  ['{"a": {', undefined],
  ['{"a": [1, ', undefined],
  ["{\"a\": '''x\"y'''}", { a: 'x"y' }, true],
  ['{"a": "x "y" z"}', { a: 'x "y" z' }, true],
  ['{"a": "print("hello")"}', { a: 'print("hello")' }, true],
  ['{"a": ["x[0"],}', { a: ['x[0'] }, true],
  ["{'a': 'if (x) {', b: '['}", { a: 'if (x) {', b: '[' }, true],
  ['{"a": ["x[0"]', { a: ['x[0'] }, true],
  ['{"a": "x\\', { a: 'x' }, true],
  ['{"a": "x\\u00', { a: 'x' }, true],
  ['{some words}', '{some words}'],
  ['[some words]', '[some words]'],
  ['```json\n{"a": 1}\n```', { a: 1 }],
  ['```{"a": 1}```', { a: 1 }],
  ['```json {"a": 1}```', { a: 1 }],
  ['```python\nprint(1)\n```', 'print(1)'],
  ['```python\nprint(1)', 'print(1)'],
  ['`ls`', '`ls`'],
  ['a\r\nb', 'a\nb'],
  ['{"__proto__": {"x": 1}}', JSON.parse('{"__proto__": {"x": 1}}')],
];

describe('an input', () => {
  test.each(rows.map(named))('$text', ({ text, input, repaired }) => {
    const read = readInput(text);
    expect(read.input).toEqual(input);
    expect(read.repaired).toBe(repaired);
  });

  test.each([
    ['{"a": 1} then wait', 8],
    ['[1]\nthen', 3],
    ['tide  ', 4],
    ['```json\n{"a": 1}\n```', 20],
  ])('%j is used up to %d', (text, end) => expect(readInput(text).end).toBe(end));
});

const argumentRows: readonly Row[] = [
  ['()', null],
  ['({"a": 1})', { a: 1 }],
  ["({'a': 1})", { a: 1 }, true],
  ['("tide")', 'tide'],
  ["('tide')", 'tide', true],
  ['("a", 2)', undefined],
  ['(a=1, b="x, y", c=[1, 2])', { a: 1, b: 'x, y', c: [1, 2] }, true],
  ['(a="never closed', { a: 'never closed' }, true],
  ['("tide', 'tide', true],
  ['("tide", ', undefined],
  ['(a=', undefined],
  ['(a=1, b', undefined],
  ['({"a', undefined],
];

describe('arguments of call syntax', () => {
  test.each(argumentRows.map(named))('$text', ({ text, input, repaired }) => {
    expect(readArguments(text)).toMatchObject({ input, repaired });
  });

  test.each(['(sums two numbers)', '(1)', '(see above: a=1)'])('%j is a remark', (text) => {
    expect(readArguments(text)).toBeNull();
  });
});

describe('deep nesting', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

  test.each([
    ['as deep as allowed', deepestNesting, true],
    ['one deeper', deepestNesting + 1, false],
    ['far deeper', 500_000, false],
  ])('%s', (_title, depth, isRead) => {
    expect(parseJson(nested(depth)) !== undefined).toBe(isRead);
    expect(repairJson(`{'a': ${nested(depth - 1)}}`) !== undefined).toBe(isRead);
  });

  test('brackets in strings are not counted', () => {
    expect(parseJson(JSON.stringify({ a: '['.repeat(1_000) }))).toEqual({ a: '['.repeat(1_000) });
  });

  test('a deep input is a violation, not an overflow', () => {
    expect(readInput(`{"a": ${'['.repeat(1_000_000)}`).input).toBeUndefined();
  });
});

describe('large inputs', () => {
  test('one long text is repaired', () => {
    const text = 'a line of "text"\n'.repeat(30_000);
    expect(readInput(`{'text': '''${text}''', }`).input).toEqual({ text });
  });

  test.each(['`', '{"a": 1,}, ', '"ab" c ", ', '{"a" '])('%j over and over is left alone in time', (unit) => {
    const startMs = performance.now();
    expect(readInput(`{"a": [${unit.repeat(300_000 / unit.length)}`).input).toBeUndefined();
    expect(performance.now() - startMs).toBeLessThan(2_000);
  });
});
