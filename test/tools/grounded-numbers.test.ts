/** Which figures of an answer stand in what was observed or asked, however they are written. */
import { describe, expect, it } from 'vitest';
import { groundedNumbers } from '../../tools/grounded-numbers.ts';
import { visitsOf } from '../protocol/visits.ts';
import { act, answer, observationAfter, returns, setup } from '../shell/setup.ts';

/** What the only tool gives, the answer, and what of the answer is not grounded. */
const rows: readonly (readonly [seen: string, said: string, missing: string])[] = [
  // Numbers in other dress.
  ['the total is 1234.5', 'It is 1,234.50.', ''],
  ['1,234.50', 'It is 1234.5', ''],
  ['1.234,50 €', 'It is 1,234.50', ''],
  ['1234,50', 'It is 1234.5', ''],
  ['1\u202f234.5', '1234.5', ''],
  ["1'234'567", '1,234,567', ''],
  ['{"total":1234567}', '1.234.567 users', ''],
  ['$1,200', '1200 USD', ''],
  ['１２．５', '12.5', ''],
  ['12.5', '１２．５', ''],
  ['12.5', 'It fell by -12.5', ''],
  ['1e6', '1,000,000', ''],
  ['[12,34,56]', '34 and 56', ''],
  ['[100,200]', '200', ''],
  ['12.50', 'The values are 12.5,13.7', '13.7'],
  ['0.1', '.1 and 0.2', '0.2'],
  // Percentages and their ratios.
  ['12%', '12 %', ''],
  ['12', '12 percent', ''],
  ['0.12', '12%', ''],
  ['12 %', '0.12', ''],
  ['0.12345', '12.3%', ''],
  ['0.12345', '12.4%', '12.4'],
  ['７５％', '75%', ''],
  // Powers.
  ['1.2万', '12000', ''],
  ['12000', '1.2万人', ''],
  ['300000000', '3亿元', ''],
  ['1.2 million', '1,200,000', ''],
  ['1234567', '1.2M', ''],
  ['1234567', '1.3 million', '1.3'],
  ['5400', '5.4k requests', ''],
  // Rounding at the own precision.
  ['12.4987', '12.5', ''],
  ['12.4987', '12.50', ''],
  ['12.4987', '12.499', ''],
  ['12.4987', '12.498', '12.498'],
  ['12.4987', '12', ''],
  ['12.6', '12', '12'],
  // Counts and lists are not looked at.
  ['', 'There are 3 of 10, none of 11.', '11'],
  ['', '3.5 and 5% and $6 and 5ms', '3.5, 5, 6, 5ms'],
  ['', '1. one\n2. two\n  3) three\n11. not the next', '11'],
  ['', '12. That is the total', '12'],
  ['', '1、一\n2、二\n13个', '13'],
  ['', '{"q3": "none", "p95_ms": 17}', '17'],
  // Dates.
  ['2026-11-30', '30 Nov 2026', ''],
  ['2026-11-30T10:00:00Z', 'November 30, 2026, at 10:00', ''],
  ['2026-11-30T10:00:00Z', '2026年11月30日', ''],
  ['2026年11月30日', '2026-11-30', ''],
  ['11/30/2026', '30 November 2026', ''],
  ['30.11.2026', 'Nov 30', ''],
  ['03/04/2026', '3 April 2026 or 4 March 2026', ''],
  ['3 April 2026', '04/03/2026', ''],
  ['2026-11-30', '2026-11-29', '2026-11-29'],
  ['2026-11-30', '30 Nov 2025', '30 Nov 2025'],
  ['on Nov 30', '30th of November', ''],
  ['Nov 30, and the year is 2026', '2026-11-30', ''],
  ['2026-11-30', 'November 2026', ''],
  ['2026-11-30', 'in 2026, in 2027', '2027'],
  ['2026/11/30', '11月30日', ''],
  ['2026-11-30T23:30:00-02:00', '2026-12-01 01:30', ''],
  // Times.
  ['15:00', '3 pm', ''],
  ['3:30 p.m.', '15:30', ''],
  ['10:00:15', '10:00', ''],
  ['10:00', '10:00:15', '10:00:15'],
  ['2026-11-30T10:00:15Z', '10:00', ''],
  ['{"home":12,"away":34}', '12:34', ''],
  ['10:05', '10:06', '10:06'],
  // Ids.
  ['{"id":"A-7"}', 'Order a-7', ''],
  ['{"id":"A-7"}', 'Order A-8', 'A-8'],
  ['{"id":"A-7"}', 'Order A7', 'A7'],
  ['INC0012 is open', 'inc0012 and INC0013', 'INC0013'],
  ['550e8400-e29b-41d4-a716-446655440000', '550E8400-E29B-41D4-A716-446655440000', ''],
  [
    '550e8400-e29b-41d4-a716-446655440000',
    '550e8400-e29b-41d4-a716-446655440001',
    '550e8400-e29b-41d4-a716-446655440001',
  ],
  ['commit 3f2a9c1d', 'commit 3f2a9c1d', ''],
  ['commit 3f2a9c1d', 'commit 3f2a9c1e', '3f2a9c1e'],
  ['12345678901234567', '12345678901234568', '12345678901234568'],
  ['12345678901234567', '12345678901234567', ''],
  ['version 1.2.3', 'version 1.2.3 or 1.2.4', '1.2.4'],
  ['1 2 3', 'version 1.2.3', '1.2.3'],
  ['prod-1.example.com', 'prod-1', ''],
  ['555-1234', '5551234', ''],
  ['from 10 to 25', '10-25', ''],
  ['{"text":"a\\n12 b"}', '12', ''],
  ['p95_ms: 340', 'p95 is 340ms', ''],
  ['constructor', '__proto__ 77', '77'],
  ['', 'well-known words, no figures, e.g. none', ''],
];

describe('beside what was seen', () => {
  it.each(rows)('%j: %j', async (seen, said, missing) => {
    const { run } = setup({
      replies: [act('look'), answer(said)],
      tools: { look: returns(seen) },
      agent: { checkAnswer: groundedNumbers() },
    });
    const outcome = await run();
    const notes = missing === '' ? [] : [`In no observation and not in the task: ${missing}`];
    expect(outcome).toMatchObject({ ok: true, notes });
  });
});

describe('groundedNumbers', () => {
  const about = { task: 'Compare 2024 with A-1.', value: '' };

  it('knows the task, and nothing of what the model wrote or of what failed', async () => {
    const tools = {
      look: returns('55'),
      fail: returns(new Error('66'), {
        execute: () => {
          throw new Error('66');
        },
      }),
    };
    const { run } = setup({
      replies: [act('look', { id: 44 }), act('fail', { id: 44 }), answer('2024, A-1, 44, 55, 66')],
      tools,
      agent: { checkAnswer: (text, steps, { value }) => groundedNumbers()(text, steps, { task: about.task, value }) },
    });
    expect(await run()).toMatchObject({ ok: true, notes: ['In no observation and not in the task: 44, 66'] });
  });

  it.each([
    ['en', 'The answer holds what stands in no observation and not in the task: 43. Use what was observed, get it'],
    ['zh', '答案中的这些内容不在任何观察结果中，也不在任务中：43。请使用观察到的内容'],
  ] as const)('sends back in %s', async (language, told) => {
    const { run, model } = setup({
      replies: [act('look'), answer('43'), answer('42')],
      tools: { look: returns('42') },
      agent: { checkAnswer: groundedNumbers({ otherwise: 'sendBack', language }), language },
    });
    expect(await run()).toMatchObject({ ok: true, answer: '42', notes: [], violations: 1 });
    expect(observationAfter(model, 2)).toContain(told);
  });

  it('lists each once, ten at most, and none whole that is long', async () => {
    const figures = Array.from({ length: 12 }, (_, index) => `${index + 100}`);
    const check = groundedNumbers({ language: 'zh' });
    const note = check(`${'9'.repeat(100)} ${[...figures, ...figures].join(' ')}`, [], about);
    const shown = [`${'9'.repeat(60)}…`, ...figures.slice(0, 9)].join(', ');
    expect(note).toEqual({ note: `不在任何观察结果中，也不在任务中：${shown}, … (13)` });
  });

  it('refuses what it does not know', () => {
    expect(() => Reflect.apply(groundedNumbers, undefined, [{ otherwise: 'warn' }])).toThrow(/otherwise is "warn"/);
  });

  it.each([
    ['digits', '7'],
    ['a list', '17,'],
    ['groups', '111,'],
    ['a version', '17.'],
    ['an id', 'a1-'],
    ['words', 'May '],
    ['dates', '2026-11-30 '],
    ['times', '10:'],
    ['lines', '\n  12 '],
    ['spaces', ' '],
    ['apostrophes', "123'"],
    ['backslashes', '\\'],
    ['numbers', '12.5% '],
  ])('looks at each character of %s a bounded number of times', (_what, piece) => {
    const visits = (repeats: number) => {
      const text = piece.repeat(repeats);
      return visitsOf(() => void groundedNumbers()(text, [], { task: text, value: text }), [text]);
    };
    const few = visits(500);
    expect(few).toBeGreaterThan(500);
    expect(visits(4_000)).toBeLessThan(8.5 * few);
  });
});
