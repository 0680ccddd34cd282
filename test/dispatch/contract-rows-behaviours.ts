/** Each behaviour of a tool under each mark, called twice with the same input: what comes of it, and what is not done again. */
import {
  abortsRun,
  acts,
  binary,
  commitsLate,
  commitsThenHangs,
  delays,
  hangs,
  huge,
  isMark,
  type Mark,
  makes,
  marks,
  read,
  rejects,
  rejectsOnAbort,
  returns,
  sequence,
  streams,
  throws,
  throwsFatal,
} from './contract-behaviours.ts';
import type { Does, Fate, Row } from './contract-play.ts';

const call = { tool: 't', input: { n: 1 } };

/** The words of the table. `done` and `perhaps`: refused, because it was done, or perhaps was, before. */
type Word = 'told' | 'late' | 'unknown' | 'done' | 'perhaps';
type Both = `${'told' | 'late' | 'unknown'} ${Word}`;

interface Kind {
  readonly what: string;
  readonly does: Does;
  /** What the model is told the first time, and the second, where it is told of the result. */
  readonly told: Fate | readonly [Fate, Fate];
  readonly marks: Readonly<Record<Mark, Both>>;
  /** Of one call. */
  readonly takesMs?: number;
  /** By mark, where it is not what the words say. */
  readonly late?: Partial<Readonly<Record<Mark, number>>>;
  /** Whether each start did something. */
  readonly commits?: true;
}

/** A result, whatever it is, is one: only a side effect is not done again. */
const results = {
  readOnly: 'told told',
  idempotent: 'told told',
  unmarked: 'told told',
  sideEffect: 'told done',
} as const;
/** A tool that says that it failed may be called again. */
const failures = { ...results, sideEffect: 'told told' } as const;
/** No result in time: of what may have an effect, nobody knows. */
const silences = {
  readOnly: 'late late',
  idempotent: 'late late',
  unmarked: 'unknown perhaps',
  sideEffect: 'unknown perhaps',
} as const;

const fallen: Fate = [
  'failed',
  '[ToolError] t failed: The disk is full. Correct the input, try another tool, or answer with what is known.',
];

const kinds: readonly Kind[] = [
  { what: 'returns', does: returns('seen'), told: ['succeeded', 'seen'], marks: results, commits: true },
  {
    what: 'empty',
    does: returns(undefined),
    told: ['succeeded', '(The tool succeeded and returned nothing.)'],
    marks: results,
    commits: true,
  },
  {
    what: 'delays',
    does: delays(400, 'seen'),
    told: ['succeeded', 'seen'],
    marks: results,
    takesMs: 400,
    commits: true,
  },
  {
    what: 'returnsSequence',
    does: sequence(returns('one'), returns('two')),
    told: [
      ['succeeded', 'one'],
      ['succeeded', 'two'],
    ],
    marks: results,
    commits: true,
  },
  {
    what: 'huge',
    does: huge(1_000_000, 'ab'),
    told: ['succeeded', /^abab.*\n… \[truncated: \d+ of 2000000 characters are not shown here\] …\n.*ab$/s],
    marks: results,
    commits: true,
  },
  {
    what: 'binary',
    does: binary(512),
    told: ['succeeded', '(512 bytes of binary data: Uint8Array)'],
    marks: results,
    commits: true,
  },
  { what: 'returnsExpr', does: makes(() => 2n ** 64n), told: ['succeeded', '18446744073709551616'], marks: results },
  { what: 'values piece by piece', does: streams(1, 2, 3), told: ['succeeded', '3'], marks: results },
  { what: 'throws', does: throws(new Error('The disk is full.')), told: fallen, marks: failures },
  { what: 'rejects', does: rejects(new Error('The disk is full.')), told: fallen, marks: failures },
  {
    what: 'throwsFatal',
    does: throwsFatal,
    told: ['failed', /^\[ToolError\] t failed: The account is closed\. /],
    marks: failures,
  },
  { what: 'hangs', does: hangs, told: fallen, marks: silences, takesMs: 1_000 },
  {
    what: 'rejectsOnAbort',
    does: rejectsOnAbort,
    told: fallen,
    marks: silences,
    takesMs: 1_000,
    late: { readOnly: 2, idempotent: 2, unmarked: 1, sideEffect: 1 },
  },
  { what: 'commitsThenHangs', does: commitsThenHangs, told: fallen, marks: silences, takesMs: 1_000, commits: true },
  {
    what: 'commitsLate',
    does: commitsLate(1_500, 'seen'),
    told: fallen,
    marks: silences,
    takesMs: 1_000,
    late: { readOnly: 1, idempotent: 1 }, // the others have ended by then
    commits: true,
  },
];

const silent = '[ToolError] t timed out: no result within 1 s. ';
const words: Readonly<Record<Exclude<Word, 'told'>, Fate>> = {
  late: ['failed', `${silent}Ask for less, or try another tool.`],
  unknown: [
    'unknown',
    `${silent}It may have taken effect; nobody knows. It will not be run again with this input. Find out with another tool, or say so in the answer.`,
  ],
  done: [
    'refused',
    '[ToolError] t was not run again: call 1.1 had the same input and succeeded. Use its result, or change the input.',
  ],
  perhaps: ['refused', /t was not run again: call 1\.1 had the same input, was started, and nobody knows/],
};

function isPair(told: Kind['told']): told is readonly [Fate, Fate] {
  return Array.isArray(told[0]);
}

const matrix = kinds.flatMap(({ what, does, told, marks: fates, takesMs = 0, late = {}, commits }): Row[] =>
  Object.keys(marks)
    .filter(isMark)
    .map((mark) => {
      const fate = fates[mark].split(' ');
      const starts = fate.filter((word) => word !== 'done' && word !== 'perhaps').length;
      const toldOf = (at: number): Fate => (isPair(told) ? (told[at] ?? told[0]) : told);
      return {
        what: `${what}, ${mark}: ${fates[mark]}`,
        tools: { t: { does, ...marks[mark] } },
        says: [[call], [call]],
        calls: fate.map((word, at) => (isWord(word) ? words[word] : toldOf(at))),
        started: Array.from({ length: starts }, () => 't').join(' '),
        unknown: fate[0] === 'unknown' ? '1.1' : '',
        tookMs: takesMs * starts,
        late: late[mark] ?? 0,
        effects: commits === true ? starts : 0,
      };
    }),
);

function isWord(word: string): word is Exclude<Word, 'told'> {
  return Object.hasOwn(words, word);
}

const flaky = sequence(throws(new Error('no')), hangs, returns('seen'));

const others: readonly Row[] = [
  {
    what: 'a read that is to be tried again: tried until it gives something',
    tools: { t: read(flaky, { retries: 2 }) },
    says: [[call]],
    calls: [['succeeded', 'seen']],
    started: 't t t',
    tookMs: 1_466,
  },
  {
    what: 'an effect that is to be tried again: never',
    tools: { t: acts(flaky, { retries: 2 }) },
    says: [[call]],
    calls: [['failed', /^\[ToolError\] t failed: no\. /]],
    started: 't',
  },
  {
    what: 'an unmarked tool that is to be tried again: never, not even where it is late',
    tools: { t: { does: commitsThenHangs, retries: 2 } },
    says: [[call]],
    calls: [words.unknown],
    started: 't',
    unknown: '1.1',
    tookMs: 1_000,
    effects: 1,
  },
  {
    what: 'a late result is recorded as late, and never used',
    tools: { t: acts(commitsLate(1_200, 'stale')) },
    says: [[call], { text: 'wait', calls: [{ tool: 't', input: { n: 2 } }], delayMs: 300 }],
    calls: [words.unknown, words.unknown],
    started: 't t',
    unknown: '1.1 2.1',
    tookMs: 2_300,
    late: 1,
    effects: 2,
  },
  {
    what: 'a try that gives something while the next one runs is late as well',
    tools: { t: read(sequence(delays(1_500, 'stale'), delays(500, 'fresh')), { retries: 1 }) },
    says: [[call]],
    calls: [['succeeded', 'fresh']],
    started: 't t',
    tookMs: 1_707,
    late: 1,
  },
  {
    what: 'an effect that aborts the run: nobody knows what came of it',
    tools: { t: acts(abortsRun) },
    says: [[call, { tool: 't', input: { n: 2 } }]],
    calls: [
      ['unknown', null],
      ['cancelled', null],
    ],
    started: 't',
    ends: 'aborted',
    unknown: '1.1',
  },
];

export const behaviourRows: readonly Row[] = [...matrix, ...others];
