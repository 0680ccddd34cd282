/** What a tool that ends the run gives is the answer, and passes what answers pass before its call counts as a success. */
import type { CheckAnswer } from '../../src/core/check-answer.ts';
import { acts, delays, hangs, read, returns, sequence, throws } from './contract-behaviours.ts';
import { call } from './contract-person.ts';
import type { Fate, Row, RowTool } from './contract-play.ts';

const silence = () => new Promise<true>(() => {});
/** What the model answers itself behind the last reply counts. */
const but =
  (judge: CheckAnswer): CheckAnswer =>
  (text, ...rest) =>
    text === 'done' || judge(text, ...rest);
const never = but(() => 'never');
const is = (expected: string) => but((text) => text === expected || `It is ${text}`);
const ends = (marks: Partial<RowTool>, does = returns('the end')): RowTool => ({ does, endsRun: true, ...marks });

const mayBeRepeated = 'Change the input, try another tool, or answer with what is known.';
const perhapsDone =
  't may have taken effect; it will not be run again with this input. Find out with another tool, or say so in the answer.';
const refused = (status: Fate[0], why: string): Fate => [
  status,
  `[ToolError] t ran, but its result was not accepted: ${why} ${status === 'failed' ? mayBeRepeated : perhapsDone}`,
];

const rows = (
  what: string,
  { t, check, call: fate, ...more }: { t: RowTool; check: CheckAnswer; call: Fate } & Partial<Row>,
): Row => ({
  what: `a tool that ends the run, ${what}`,
  tools: { t },
  says: [[call(1)]],
  calls: [fate],
  started: 't',
  ...more,
  agent: { checkAnswer: check, ...more.agent },
});

export const answerRows: readonly Row[] = [
  rows('and the answer is accepted', {
    t: ends({ readOnly: true }),
    check: is('the end'),
    call: ['succeeded', 'the end'],
    answer: 'the end',
  }),
  rows('that reads, and the answer is refused', {
    t: ends({ readOnly: true }),
    check: never,
    call: refused('failed', 'never.'),
  }),
  rows('that is idempotent, and the answer is refused', {
    t: ends({ idempotent: true }),
    check: never,
    call: refused('failed', 'never.'),
  }),
  rows('without a mark, and the answer is refused', {
    t: ends({}),
    check: never,
    call: refused('unknown', 'never.'),
    unknown: '1.1',
    effects: 1,
  }),
  rows('with an effect, and the answer is refused: it is not done again', {
    t: acts(returns('the end'), { endsRun: true }),
    check: never,
    call: refused('unknown', 'never.'),
    says: [[call(1)], [call(1)]],
    calls: [refused('unknown', 'never.'), ['refused', /call 1\.1 had the same input, was started, and nobody knows/]],
    unknown: '1.1',
    effects: 1,
  }),
  rows('and the check only says no', {
    t: ends({ readOnly: true }),
    check: but(() => false),
    call: refused('failed', 'The answer was not accepted. Check it, and write it again.'),
  }),
  rows('and the check throws', {
    t: ends({ readOnly: true }),
    check: but(() => {
      throw new Error('away');
    }),
    call: refused('failed', 'The answer could not be checked (away). Write it again.'),
  }),
  rows('and the check hangs', {
    t: ends({ readOnly: true }),
    check: but(silence),
    call: refused('failed', 'The answer could not be checked (no result in time). Write it again.'),
    tookMs: 10_000,
  }),
  rows('and the check hangs, in Chinese', {
    t: ends({ readOnly: true }),
    check: but(silence),
    call: [
      'failed',
      '[ToolError] t 已执行，但结果未被接受：无法检查答案（没有及时得到结果）。请重写。 请改变输入、换一个工具，或根据已知信息回答。',
    ],
    agent: { language: 'zh' },
    tookMs: 10_000,
  }),
  rows('and the run is aborted while the answer is checked', {
    t: ends({ readOnly: true }),
    check: silence,
    call: ['cancelled', null],
    abortAtMs: 100,
    ends: 'aborted',
    tookMs: 100,
  }),
  rows('and its result is refused before the answer is', {
    t: ends({ readOnly: true }),
    check: never,
    agent: { checkResult: () => 'No result.' },
    call: refused('failed', 'No result.'),
  }),
  rows('at the second try, and the answer is refused', {
    t: ends({ readOnly: true, retries: 1 }, sequence(throws(new Error('no')), returns('the end'))),
    check: never,
    call: ['failed', `${refused('failed', 'never.')[1]} (It was tried 2 times.)`],
    started: 't t',
    tookMs: 207,
  }),
  rows('whose value is JSON', {
    t: ends({ readOnly: true }, returns({ n: 1 })),
    check: is('{"n":1}'),
    call: ['succeeded', '{"n":1}'],
    answer: '{"n":1}',
  }),
  rows('that gives nothing', {
    t: ends({ readOnly: true }, returns('')),
    check: is('(The tool succeeded and returned nothing.)'),
    call: ['succeeded', '(The tool succeeded and returned nothing.)'],
    answer: '(The tool succeeded and returned nothing.)',
  }),
  rows('that gives bytes', {
    t: ends({ readOnly: true }, returns(new Uint8Array(3))),
    check: is('(3 bytes of binary data: Uint8Array)'),
    call: ['succeeded', '(3 bytes of binary data: Uint8Array)'],
    answer: '(3 bytes of binary data: Uint8Array)',
  }),
  rows('that gives more than is shown', {
    t: ends({ readOnly: true }, returns('word '.repeat(2_000).trim())),
    check: is('word '.repeat(2_000).trim()),
    call: ['succeeded', /truncated/],
    answer: 'word '.repeat(2_000).trim(),
  }),
  rows('that gives a secret', {
    t: ends({ readOnly: true }, returns('the key is tok-4711')),
    check: is('the key is [redacted]'),
    call: ['succeeded', 'the key is [redacted]'],
    answer: 'the key is [redacted]',
    agent: { redact: ['tok-4711'] },
  }),
  rows('in a dry run: what was not done is not judged', {
    t: ends({}),
    check: never,
    agent: { policy: 'dryRun' },
    call: ['succeeded', /^\(Dry run: t would now/],
    started: '',
    answer:
      '(Dry run: t would now have been run with the input {"n":1}. Nothing was done; go on as if it had succeeded.)',
  }),
  rows('and another that is missing where the run goes on', {
    t: ends({ readOnly: true }, delays(200, 'the end')),
    tools: { t: ends({ readOnly: true }, delays(200, 'the end')), need: read(returns('x')) },
    check: is('the end'),
    diesAtMs: 100,
    later: { agent: { requireTools: ['need'] } },
    says: [[call(1)], [call(1, 'need')], [call(2)]],
    call: ['failed', null],
    calls: [
      refused('failed', 'The answer does not count yet: need must succeed before. Call need first.'),
      ['succeeded', 'x'],
      ['succeeded', 'the end'],
    ],
    started: 't t need t',
    tookMs: 500,
    answer: 'the end',
  }),
  rows('that is required itself', {
    t: ends({ readOnly: true }),
    check: is('the end'),
    agent: { requireTools: ['t'] },
    call: ['succeeded', 'the end'],
    answer: 'the end',
  }),
  rows('and took too long: nobody judges what comes late', {
    t: ends({ readOnly: true }, hangs),
    check: () => {
      throw new Error('It was asked.');
    },
    call: ['failed', /timed out/],
    tookMs: 1_000,
    ends: 'max_steps',
    agent: { budget: { maxSteps: 1 } },
  }),
];
