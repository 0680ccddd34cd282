/** What holds of every dialect's reader for any text. */
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import type { Mark, Reading } from '../../src/core/reading.ts';
import { dialectNamed } from '../../src/protocol/read.ts';
import { scan } from './scan.ts';

const fragments = [
  ...['Thought:', 'Action:', 'Action Input:', 'Observation:', 'Final Answer:', 'Answer:', 'Question:', 'thought:'],
  ...[
    '思考：',
    '行动：',
    '行动输入：',
    '观察：',
    '最终答案：',
    '**',
    '`',
    '```',
    '```json',
    '\n',
    '\n\n',
    '\r\n',
    ' ',
    '   ',
  ],
  ...['{', '}', '[', ']', '(', ')', '"', "'", '"""', ',', ':', '=', '\\', '/', '//', '/*', '*/', '#', '<', '_'],
  ...['<think>', '</think>', 'search', 'None', 'Final Answer', 'Observ', '{"a": 1}', '{"action": "search"', 'x', '7'],
  ...['"action_input": "x"', '\ud83d', '\ude00', '\0', '\u2028', 'İ', '__proto__', '无', 'Action: search\n'],
  ...['\nAction: search\nAction Input: {"q": "', '"}\n', '\nObservation: 1\n', '\nFinal Answer: '],
  ...[
    'Action 1: search[',
    'Action: ',
    'search[',
    'Finish[',
    'Finish',
    '> ',
    '> search ',
    '> think: ',
    'Plan 1: x',
    '【',
    '】',
    ']\n',
  ],
  ...['<thought>', '</thought>', '<tool_call>', '</tool_call>', '<execute>', '</execute>', '<answer>', '</answer>'],
  ...['<c>search</c>', '<c>', '</c>', '<r>', '</r>', '<tool_response>', '</tool_response>', '< / ANSWER >', '</think'],
  ...['<tool_call>{"name": "search", "arguments": {"q": "', '"}}', '"}}</tool_call>', '<input>', '</input>', '>', '</'],
];
const text = fc.array(fc.constantFrom(...fragments), { maxLength: 30 }).map((parts) => parts.join(''));
const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 12 });
const name = fc.constantFrom('labelled', 'json', 'tags', 'paper');
const options = { tools: ['search', 'clock'], language: 'en' } as const;
const runs = { numRuns: 1500 };

describe('a scanner', () => {
  test.prop([name, text, cuts], runs)('gives the same for every way of cutting the text', (dialect, reply, at) => {
    const whole = scan(dialectNamed(dialect), [reply], options);
    expect(scan(dialectNamed(dialect), piecesOf(reply, at), options)).toEqual(whole);
    expect(scan(dialectNamed(dialect), reply.split(''), options)).toEqual(whole);
  });

  test.prop([name, fc.oneof(text, fc.string({ unit: 'binary', maxLength: 300 }))], runs)(
    'is total',
    (dialect, reply) => {
      const { reading } = scan(dialectNamed(dialect), [reply], options);
      expect(['calls', 'answer', 'violation']).toContain(reading.kind);
      expect(JSON.parse(JSON.stringify(reading))).toEqual(reading);
    },
  );

  test.prop([name, text], runs)('gives marks that agree with the reading', (dialect, reply) => {
    const { marks, reading } = scan(dialectNamed(dialect), [reply], options);
    expect(disagreement(marks, reading)).toBeNull();
  });

  test.prop([name, text], runs)('keeps a reply that is read as the same step', (dialect, reply) => {
    const { reading, kept } = scan(dialectNamed(dialect), [reply], options);
    const again = scan(dialectNamed(dialect), [kept], options).reading;
    if (reading.kind === 'answer') expect(again).toMatchObject({ kind: 'answer', answer: reading.answer });
    if (reading.kind === 'calls') expect(again.kind).not.toBe('answer');
  });

  test.prop([name, text], runs)('loses nothing of a call: what was read stands in the reply', (dialect, reply) => {
    const { reading } = scan(dialectNamed(dialect), [reply], options);
    if (reading.kind !== 'calls') return;
    for (const { input, repaired } of reading.calls)
      if (typeof input === 'string' && repaired !== true && !reply.includes('\\') && !reply.includes('\r'))
        expect(reply).toContain(input);
  });
});

function piecesOf(reply: string, at: readonly number[]): readonly string[] {
  const sorted = [0, ...at.map((cut) => Math.min(cut, reply.length)), reply.length].sort((a, b) => a - b);
  return sorted.slice(1).map((end, index) => reply.slice(sorted[index], end));
}

/** What the machine relies on, as a sentence where it is broken. */
function disagreement(marks: readonly Mark[], reading: Reading): string | null {
  const stops = marks.map(({ stop }) => stop);
  if (new Set(stops).size < stops.length) return 'a kind of stop was reported twice';
  if (reading.kind === 'calls' && !stops.includes('action')) return 'calls without the mark action';
  if (reading.kind === 'answer' && !stops.includes('answer')) return 'an answer without the mark answer';
  const acted = marks.find(({ calls }) => calls.length > 0);
  if (acted === undefined) return null;
  if (stops.indexOf('action') > marks.indexOf(acted) || !stops.includes('action'))
    return 'a call before the mark action';
  if (reading.kind !== 'calls') return 'a mark carries a call, and the reading none';
  return JSON.stringify(acted.calls) === JSON.stringify(reading.calls) ? null : 'the calls of mark and reading differ';
}
