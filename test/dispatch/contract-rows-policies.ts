/** Each policy over each mark, and what `needsApproval` may be. Nobody is there: a call that asks suspends the run. */

import type { Policy } from '../../src/core/policy.ts';
import { isMark, type Mark, marks, returns } from './contract-behaviours.ts';
import type { Fate, Row, RowTool } from './contract-play.ts';

const call = { tool: 't', input: { n: 1 } };
const look: RowTool = { does: returns('x'), readOnly: true };

type Answer = 'run' | 'ask' | 'refuse' | 'dry';
const fates: Readonly<Record<Answer, Fate>> = {
  run: ['succeeded', 'seen'],
  ask: ['waiting', null],
  refuse: ['refused', '[ToolError] t was not run: only tools that read are allowed here. Allowed: look.'],
  dry: [
    'succeeded',
    '(Dry run: t would now have been run with the input {"n":1}. Nothing was done; go on as if it had succeeded.)',
  ],
};

/** By mark: as in docs/tools.md. The side effect here is one that need not ask by itself. */
const policies: readonly (readonly [Policy | null, Readonly<Record<Mark, Answer>>])[] = [
  [null, { readOnly: 'run', idempotent: 'run', unmarked: 'run', sideEffect: 'run' }],
  ['readOnly', { readOnly: 'run', idempotent: 'refuse', unmarked: 'refuse', sideEffect: 'refuse' }],
  ['dryRun', { readOnly: 'run', idempotent: 'dry', unmarked: 'dry', sideEffect: 'dry' }],
  ['ask', { readOnly: 'run', idempotent: 'ask', unmarked: 'ask', sideEffect: 'ask' }],
  ['all', { readOnly: 'run', idempotent: 'run', unmarked: 'run', sideEffect: 'run' }],
  [{ allow: ['t'] }, { readOnly: 'run', idempotent: 'run', unmarked: 'run', sideEffect: 'run' }],
  [{ allow: ['look'] }, { readOnly: 'run', idempotent: 'ask', unmarked: 'ask', sideEffect: 'ask' }],
];

const overMarks = policies.flatMap(([policy, byMark]) =>
  Object.keys(marks)
    .filter(isMark)
    .map((mark) => row(`policy ${JSON.stringify(policy)}, ${mark}`, byMark[mark], marks[mark], policy)),
);

const slow = () => new Promise<boolean>(() => {});
const throwing = (): never => {
  throw new Error('no rule');
};

/** What decides is the tool's own word, where no policy takes its place. */
const words: readonly (readonly [string, Partial<RowTool>, Answer, Policy?])[] = [
  ['sideEffect alone', { sideEffect: true }, 'ask'],
  ['needsApproval: true', { needsApproval: true }, 'ask'],
  ['needsApproval: true, of a read', { readOnly: true, needsApproval: true }, 'ask'],
  ['needsApproval: false, of a side effect', { sideEffect: true, needsApproval: false }, 'run'],
  ['needsApproval says false', { sideEffect: true, needsApproval: () => false }, 'run'],
  ['needsApproval says true', { readOnly: true, needsApproval: () => true }, 'ask'],
  ['needsApproval promises false', { sideEffect: true, needsApproval: async () => false }, 'run'],
  ['needsApproval promises true', { needsApproval: async () => true }, 'ask'],
  ['needsApproval is of this input', { needsApproval: ({ n }: { n: number }) => n > 0 }, 'ask'],
  ['needsApproval is not of this input', { needsApproval: ({ n }: { n: number }) => n > 1 }, 'run'],
  ['needsApproval says nothing: rather asked than run', { needsApproval: () => undefined }, 'ask'],
  ['needsApproval throws, and the policy is all', { needsApproval: throwing }, 'run', 'all'],
  ['needsApproval throws, and the policy is ask', { needsApproval: throwing }, 'ask', 'ask'],
];

function row(what: string, answer: Answer, more: Partial<RowTool>, policy: Policy | null): Row {
  const runs = answer === 'run';
  return {
    what: `${what} → ${answer}`,
    tools: { t: { does: returns('seen'), ...more }, look },
    says: [[call]],
    agent: policy === null ? {} : { policy },
    calls: [fates[answer]],
    started: runs ? 't' : '',
    effects: runs ? 1 : 0,
    gates: answer === 'refuse' ? ['policy'] : answer === 'ask' ? ['approval'] : [],
    ...(answer === 'ask' ? { ends: 'suspended' } : {}),
  };
}

const unchecked: readonly (readonly [string, Partial<RowTool>, RegExp, number])[] = [
  ['needsApproval throws', { needsApproval: throwing }, /t could not be checked \(no rule\)\. It was not run\./, 0],
  ['needsApproval rejects', { needsApproval: async () => throwing() }, /t could not be checked \(no rule\)\./, 0],
  ['needsApproval hangs', { needsApproval: slow }, /t could not be checked \(no result in time\)\./, 10_000],
];

export const policyRows: readonly Row[] = [
  ...overMarks,
  ...words.map(([what, more, answer, policy = null]) => row(what, answer, more, policy)),
  ...unchecked.map(
    ([what, more, told, tookMs]): Row => ({
      what: `${what}: nothing runs unasked`,
      tools: { t: { does: returns('seen'), ...more } },
      says: [[call]],
      calls: [['refused', told]],
      started: '',
      gates: ['approval'],
      tookMs,
    }),
  ),
];
