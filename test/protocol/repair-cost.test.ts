/** What a repair may cost: the repairer copies all it has written at each, so that their number has a bound. */
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { repairJson } from '../../src/protocol/repair.ts';
import { nestsDeeperThan, repairCost } from '../../src/protocol/repair-cost.ts';
import { visitsOf } from './visits.ts';

describe('repairs', () => {
  test.each([
    ['{"a": 1, "b": [true, "c"]}', 0],
    ['{"a": 1 "b": 2}', 1],
    ['["a" "b" "c"]', 2],
    ['{a: some words, b: None}', 0],
    ['[some words\nmore words]', 1],
    ['[1 2 3]', 2],
    ['{"a": [1', 2],
    ['{"a": 1]', 1],
    ['{"a": }', 1],
    ['["a" + "b"]', 3],
    ['[/x/]', 2],
  ])('of %s: %d', (text, repairs) => {
    expect(repairCost(text).repairs).toBe(repairs);
  });

  const items = (count: number) => `[${'{"a": 1} '.repeat(count)}]`;
  test.each([
    ['as many as allowed', items(257), true],
    ['one more', items(258), false],
    ['any number of commas before closers', `[${'{"a": [1, ], },\n'.repeat(2_000)}]`, true],
  ])('%s', (_, text, isRead) => {
    expect(Array.isArray(repairJson(text))).toBe(isRead);
  });

  const signs = ['{', '}', '[', ']', '(', ')', ',', ':', '"a"', '"b c"', '"', ' ', '\n', '1', '-2.5', 'true', 'None'];
  const words = [
    'key',
    'some words',
    '`',
    "'",
    '“',
    '\\',
    '\\"',
    '/',
    '+',
    '...',
    '&quot;',
    '&',
    'f(',
    '```',
    'x"',
    ';',
  ];
  const unit = fc.array(fc.constantFrom(...signs, ...words), { minLength: 1, maxLength: 6 });
  const lead = fc.constantFrom('', '{"a": ', '[', '{', '["x", ');
  test.prop([lead, unit], { numRuns: 150 })('cost a bounded number of copies', (begun, parts) => {
    const text = begun + parts.join('').repeat(Math.ceil(3_000 / parts.join('').length));
    expect(visitsOf(() => repairJson(text), [text]) / text.length).toBeLessThan(1_500);
  });
});

describe('nesting', () => {
  const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  test.each([
    ['as deep', deep(20), false],
    ['deeper', deep(21), true],
    ['many brackets side by side', `[${'[],{},'.repeat(100)}0]`, false],
    ['brackets in a string', `["${'['.repeat(100)}"]`, false],
  ])('%s', (_, text, isDeeper) => {
    expect(nestsDeeperThan(text, 20)).toBe(isDeeper);
  });
});
