/**
 * The gates, and their order. In each row about the order, every gate from the named one on would refuse the call:
 * tool → input → duplicate → required → callLimit → rateLimit → policy → approval.
 */
import type { AgentOptions } from '../../src/agent-options.ts';
import type { Gate } from '../../src/core/verdict.ts';
import { acts, asking, commitsThenHangs, read, returns } from './contract-behaviours.ts';
import type { Fate, Row, RowTool } from './contract-play.ts';

const call = (n: number | string, tool = 't') => ({ tool, input: { n } });
const form = (n: object) => ({ type: 'object', properties: { n }, required: ['n'] });
const noRule = (): never => {
  throw new Error('no rule');
};

const before = { need: read(returns('x')), stop: asking() };

/**
 * `t` was called with 1, and nobody knows what came of it. Then the run goes on with a `t` that every gate has something
 * against, but for what is changed here.
 */
function inOrder(
  gate: keyof typeof refusals,
  what: string,
  n: number,
  changed: Partial<RowTool>,
  agent: Partial<AgentOptions> = {},
): Row {
  const strict: RowTool = {
    does: returns('sent'),
    inputSchema: form({ type: 'integer', multipleOf: 2 }),
    endsRun: true,
    maxCallsPerRun: 1,
    needsApproval: noRule,
    ...changed,
  };
  return {
    what: `the order: ${gate} before ${what}`,
    tools: { ...before, t: { does: commitsThenHangs } },
    agent: { budget: { maxToolErrors: 9 } },
    says: [[call(1)], [call(0, 'stop')], [call(n)], [call(1, 'need')]],
    later: {
      tools: { ...before, t: strict },
      agent: { requireTools: ['need'], ...agent },
      person: { '2.1': (run, callId) => run.deny(callId) },
    },
    calls: [
      ['unknown', /timed out/],
      ['refused', /stop was not allowed to run/],
      ['refused', refusals[gate]],
      ['succeeded', 'x'],
    ],
    started: 't need',
    unknown: '1.1',
    tookMs: 1_000,
    gates: ['approval', gate],
  };
}

/** What the model is told of `t` by each gate. */
const refusals = {
  input: /The input of t cannot be used: /,
  duplicate:
    /t was not run again: call 1\.1 had the same input, was started, and nobody knows whether it took effect\./,
  required: /t was not run: need must succeed before\./,
  callLimit: /t was not run: it may be called once in a run, and was\./,
  policy: /t was not run: only tools that read are allowed here\./,
  approval: /The input of t could not be checked \(no rule\)\./,
} as const satisfies Readonly<Partial<Record<Gate, RegExp>>>;

const anyForm = { inputSchema: { type: 'object' } };
const free = { requireTools: [] };
const readOnly = { policy: 'readOnly' } as const;

const strict: readonly Row[] = [
  inOrder('input', 'duplicate and all behind it', 1, {}, readOnly),
  inOrder('input', 'approval that cannot be asked', 1, {}),
  inOrder('duplicate', 'required and all behind it', 1, anyForm, readOnly),
  inOrder('duplicate', 'approval that cannot be asked', 1, anyForm),
  inOrder('required', 'callLimit and all behind it', 2, {}, readOnly),
  inOrder('required', 'approval that cannot be asked', 2, {}),
  inOrder('callLimit', 'policy', 2, {}, { ...free, ...readOnly }),
  inOrder('callLimit', 'approval that cannot be asked', 2, {}, free),
  inOrder('policy', 'approval', 2, { maxCallsPerRun: 9 }, { ...free, ...readOnly }),
  inOrder('approval', 'nothing', 2, { maxCallsPerRun: 9 }, free),
];

/** A place is taken by the first call, and there is no other for as long as the run may last. */
const seldom = { rateLimit: { calls: 1, perMs: 1_000_000_000 } };
const tooOften: Fate = ['refused', /t was not run: it is called too often\. It could run again in 1000000 s/];
const once: Fate = ['refused', /t was not run: it may be called once in a run, and was\./];

/** In one run. */
const usedUp: readonly Row[] = [
  {
    what: 'the order: callLimit before rateLimit',
    tools: { t: read(returns('x'), { ...seldom, maxCallsPerRun: 1 }) },
    says: [[call(1)], [call(2)]],
    calls: [['succeeded', 'x'], once],
    started: 't',
    gates: ['callLimit'],
  },
  {
    what: 'the order: duplicate before rateLimit',
    tools: { t: acts(returns('x'), seldom) },
    says: [[call(1)], [call(1)]],
    calls: [
      ['succeeded', 'x'],
      ['refused', /t was not run again: call 1\.1/],
    ],
    started: 't',
    gates: ['duplicate'],
  },
  {
    what: 'the order: rateLimit before approval that cannot be asked',
    tools: {
      t: read(returns('x'), { ...seldom, needsApproval: ({ n }: { n: number }) => (n === 1 ? false : noRule()) }),
    },
    says: [[call(1)], [call(2)]],
    calls: [['succeeded', 'x'], tooOften],
    started: 't',
    gates: ['rateLimit'],
  },
  {
    what: 'the order: rateLimit before a person is asked',
    tools: { t: read(returns('x'), { ...seldom, needsApproval: ({ n }: { n: number }) => n > 1 }) },
    says: [[call(1)], [call(2)]],
    calls: [['succeeded', 'x'], tooOften],
    started: 't',
    gates: ['rateLimit'],
  },
];

export const orderRows: readonly Row[] = [...strict, ...usedUp];
