/** Eight times the text may take eight times as long, not sixty-four. */
import { describe, expect, test } from 'vitest';
import { dialectNamed } from '../../src/protocol/read.ts';

const units = [
  ...['{', '[', '(', '`', '```\n', '```x\n', '"', "'", '\n', '\r\n', ' ', '\\', '/*', '//', '#', '*', '\ud83d', '\0'],
  ...['Thought:', 'Thought:\n', 'Action: ', 'Action:\n', 'Action: x\n', 'Observation:\n', 'Final Answer:\n', '<think>'],
  ...['<think>\n', '</think>', '</think>\n', '{"', '{"a":', '{"a":1}', '{}\n', '{ }', "'  ", '思考：', 'f(', 'a=,'],
  ...['{"a": 1,}, ', '"ab" c ", ', 'True, ', '\\"', '"\\'],
  ...['Action: None\nAction Input: {"\n', 'Action: x\nAction Input: {"\n', '{"a":"\nAction: x\n', 'Action: f({"\n'],
  ...[']', 'f[', '[]', '> f ', '> think: a\n', 'Plan 1: a\n', 'Action: f[\n', 'Finish[\n', '```]\n', 'f[x] a\n', '【'],
  ...[
    '<',
    '</',
    '< thought',
    '<thought>',
    '</thought>',
    '<thought><c>',
    '<observation>',
    '<tool_call>',
    '</tool_call>',
  ],
  ...[
    '<tool_call>{"a": "',
    '</tool_call>"',
    '<c>f</c>',
    '<c>f</c>\n<r>',
    '<a>',
    '<name>f</name>',
    '<answer>',
    '</answer',
  ],
];
const leads = [
  '',
  'Action: f\nAction Input: ',
  'Action: f\nAction Input: {"a": ',
  'Action: f(a=',
  'Final Answer: ',
  'Action: f[',
  'Finish[{"a": ',
  '<tool_call>',
  '<tool_call>{"a": "',
  '<c>f</c>{"a": ',
  '<thought>',
];
const smallLength = 16_384;
const largeLength = 8 * smallLength;
const bound = 30;
/** Below this many milliseconds a ratio of times says nothing. */
const noiseMs = 200;
/** A busy machine may stretch one measurement; what is not linear is slow in each. */
const tries = 5;

describe.each(['labelled', 'json', 'tags', 'paper'])('%s reads in linear time', (dialect) => {
  test.each(leads)('behind %j, in one piece', { timeout: 120_000 }, (lead) => {
    for (const unit of units) expect(ratio(dialect, lead, unit, largeLength), JSON.stringify(unit)).toBeLessThan(bound);
  });

  test('one character at a time', { timeout: 120_000 }, () => {
    for (const unit of units) expect(ratio(dialect, '', unit, 1), JSON.stringify(unit)).toBeLessThan(bound);
  });
});

function ratio(dialect: string, lead: string, unit: string, pieceLength: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < tries && best >= bound; attempt++) {
    const largeMs = timeMs(dialect, lead, unit, largeLength, pieceLength);
    if (largeMs < noiseMs) return 0;
    best = Math.min(best, largeMs / timeMs(dialect, lead, unit, smallLength, pieceLength));
  }
  return best;
}

function timeMs(dialect: string, lead: string, unit: string, length: number, pieceLength: number): number {
  const text = lead + unit.repeat(Math.ceil(length / unit.length));
  const scanner = dialectNamed(dialect).scanner({ tools: ['f'], language: 'en' });
  const startMs = performance.now();
  for (let at = 0; at < text.length; at += pieceLength) scanner.feed(text.slice(at, at + pieceLength));
  scanner.end();
  scanner.kept();
  return performance.now() - startMs;
}
