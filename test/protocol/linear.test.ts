/** Eight times the text takes eight times the work, not sixty-four; counted in characters, so that no clock has a say. */
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import type { Dialect } from '../../src/protocol/dialect.ts';
import { labelled } from '../../src/protocol/labelled.ts';
import { createReader, dialectNamed, dialectNames } from '../../src/protocol/read.ts';
import { cutEvery, scan } from './scan.ts';
import { visitsOf } from './visits.ts';

const units = [
  ...['{', '[', '(', '`', '```\n', '```x\n', '"', "'", '\n', '\r\n', ' ', '\\', '/*', '//', '#', '*', '\ud83d', '\0'],
  ...['Thought:', 'Thought:\n', 'Action: ', 'Action:\n', 'Action: x\n', 'Observation:\n', 'Final Answer:\n', '<think>'],
  ...['<think>\n', '</think>', '</think>\n', '{"', '{"a":', '{"a":1}', '{}\n', '{ }', "'  ", '思考：', 'f(', 'a=,'],
  ...['{"a": 1,}, ', '"ab" c ", ', 'True, ', '\\"', '"\\'],
  ...['Action: None\nAction Input: {"\n', 'Action: x\nAction Input: {"\n', '{"a":"\nAction: x\n', 'Action: f({"\n'],
  ...[']', 'f[', '[]', '> f ', '> think: a\n', 'Plan 1: a\n', 'Action: f[\n', 'Finish[\n', '```]\n', 'f[x] a\n', '【'],
  ...['<', '</', '< thought', '<thought>', '</thought>', '<thought><c>', '<observation>', '<tool_call>'],
  ...['</tool_call>', '<tool_call>{"a": "', '</tool_call>"', '<c>f</c>', '<c>f</c>\n<r>', '<a>', '<name>f</name>'],
  ...[
    '<answer>',
    '</answer',
    'Action:    ',
    '---\n',
    'T01 ',
    '"a" ',
    'a"b',
    'x,\n',
    '1 ',
    '“a',
    '\\n',
    'é',
    'a',
    '</s>',
  ],
];
const leads = [
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
const options = { tools: ['f'], language: 'en' } as const;

/** Eight times as long a text; what is looked ahead weighs less in a short one. */
const growth = 8;
const mostGrowth = 9;
/** Of each character. The most are a look ahead over the length of a label, and a repair, which copies what it mends. */
const mostVisits = 600;
const kindsOfStop = 4;

describe.each(dialectNames)('%s', (name) => {
  const dialect = dialectNamed(name);

  test('visits each character a bounded number of times', () => {
    const problems = units.flatMap((unit) => problemsOf(dialect, '', unit, 1_024));
    expect(problems).toEqual([]);
  });

  test('also where it is looked for in the forms of all dialects', () => {
    const asInTheLoop: Dialect = { ...dialect, scanner: (given) => createReader({ dialect, ...given }) };
    expect(units.flatMap((unit) => problemsOf(asInTheLoop, '', unit, 512))).toEqual([]);
  });

  test('also one character at a time', () => {
    expect(units.flatMap((unit) => problemsOf(dialect, '', unit, 512, 1))).toEqual([]);
  });

  test.each(leads)('also behind %j', (lead) => {
    expect(units.flatMap((unit) => problemsOf(dialect, lead, unit, 512))).toEqual([]);
  });

  const parts = fc.array(fc.constantFrom(...leads, ...units), { maxLength: 40 });
  test.prop([parts, fc.integer({ min: 1, max: 40 })])(
    'gives one mark for each kind of stop at most',
    (texts, length) => {
      const { marks } = scan(dialect, cutEvery(texts.join(''), length), options);
      expect(marks.length).toBe(new Set(marks.map(({ stop }) => stop)).size);
      expect(marks.length).toBeLessThanOrEqual(kindsOfStop);
    },
  );
});

/** Readers that look again at what they have seen, each in another way. */
const quadratic: readonly (readonly [string, number, (turn: { text: string }, chunk: string) => void])[] = [
  ['searches all of the text again', 1, ({ text }) => text.indexOf('\nObservation:')],
  ['copies all of the text again', 1, ({ text }) => text.slice(0, -1)],
  ['trims all of the text again', 1, ({ text }) => text.trim().endsWith('}')],
  ['looks at a text that it adds to', 1, ({ text }) => text.charCodeAt(text.length - 1)],
  ['cuts off the first line again and again', 1e9, ({ text }) => dropLines(text)],
  ['asks an expression again', 1, ({ text }) => /Answer/.test(text)],
];

describe('the count sees a reader that', () => {
  test.each(quadratic)('%s', (_, pieceLength, look) => {
    const dialect = planted(look);
    expect(problemsOf(dialect, '', 'a\n', 512, pieceLength)).toContainEqual(
      expect.stringContaining('times the visits'),
    );
  });

  test('looks at each character once', () => {
    expect(
      problemsOf(
        planted((_, chunk) => chunk.charCodeAt(0)),
        '',
        'a\n',
        512,
        1,
      ),
    ).toEqual([]);
  });

  test('looks at each character far too often', () => {
    const dialect = planted((_, chunk) => {
      for (let time = 0; time <= mostVisits; time++) chunk.charCodeAt(0);
    });
    expect(problemsOf(dialect, '', 'a\n', 512, 1)).toEqual([expect.stringContaining('visits a character')]);
  });
});

function planted(look: (turn: { text: string }, chunk: string) => void): Dialect {
  return {
    ...labelled,
    scanner(given) {
      const scanner = labelled.scanner(given);
      const turn = { text: '' };
      return {
        ...scanner,
        feed(chunk) {
          turn.text += chunk;
          look(turn, chunk);
          return scanner.feed(chunk);
        },
      };
    },
  };
}

function dropLines(text: string): void {
  let rest = text;
  while (rest.includes('\n')) rest = rest.slice(rest.indexOf('\n') + 1);
}

/** What is wrong with the work that a dialect does for a unit written over and over, as sentences. */
function problemsOf(dialect: Dialect, lead: string, unit: string, length: number, pieceLength = 1e9): string[] {
  const visits = (times: number) => visitsPerCharacter(dialect, lead, unit, length * times, pieceLength);
  const large = visits(growth);
  const what = `${JSON.stringify(lead + unit)}: `;
  let grew = (growth * large) / visits(1);
  // Repairs are few in a short text, and their number has a bound: what only grew towards it does not go on to grow.
  if (grew > mostGrowth) grew = (growth * visits(growth * growth)) / large;
  const problems =
    grew <= mostGrowth ? [] : [`${what}${grew.toFixed(1)} times the visits for ${growth} times the text`];
  return large <= mostVisits ? problems : [...problems, `${what}${large.toFixed(0)} visits a character`];
}

function visitsPerCharacter(dialect: Dialect, lead: string, unit: string, length: number, pieceLength: number): number {
  const text = lead + unit.repeat(Math.ceil(length / unit.length));
  const pieces = cutEvery(text, pieceLength);
  const scanner = dialect.scanner(options);
  const read = () => {
    for (const piece of pieces) scanner.feed(piece);
    scanner.end();
    scanner.kept();
  };
  return visitsOf(read, pieces) / text.length;
}
