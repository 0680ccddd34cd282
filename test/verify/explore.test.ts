/** The explorer on the shipped machine, with its counts pinned, and on machines with a planted fault, which it must find. */

import { describe, expect, it, test } from 'vitest';
import { initialContext } from '../../machines/context.ts';
import { createReactMachine } from '../../machines/react.machine.ts';
import { reduce } from '../../machines/reduce.ts';
import type { ReactContext } from '../../src/core/snapshot.ts';
import { certificate } from '../../src/verify/certificate.ts';
import { drawPath } from '../../src/verify/draw-path.ts';
import { explore, exploring } from '../../src/verify/explore.ts';
import { longestPath } from '../../src/verify/longest-path.ts';
import { stateKey } from '../../src/verify/state-key.ts';
import { limits } from '../machine/driver.ts';

const machine = createReactMachine();
const guards = machine.implementations.guards;

/** Counts change only with the machine, the laws' alphabet or the bounds; then the new ones are looked at and pinned. */
test('the shipped machine: every path ends, and the counts are these', { timeout: 300_000 }, async () => {
  const exploration = explore();
  const { counterexample, entered, laws, bounds, edges } = exploration;
  expect(counterexample).toBeNull();
  expect(edges).toBeGreaterThanOrEqual(100_000);
  expect(exploration.longestPath).toBeLessThanOrEqual(3 * (4 + 2 * 1 + 3 * 1) + 1); // as docs/verify.md says
  await expect(`${certificate(exploration)}\n`).toMatchFileSnapshot('../../docs/certificate.txt');
  expect(bounds).toEqual({ maxSteps: 3, maxToolCalls: 2, maxViolations: 2, maxToolErrors: 2, callsPerReply: 2 });
  expect(laws.length).toBeGreaterThanOrEqual(30);
  expect([...entered.keys()].sort()).toEqual([
    'ACTION.awaitingApproval',
    'ACTION.checkingAnswer',
    'ACTION.gating',
    'ACTION.running',
    'ERROR',
    'FINAL',
    'THOUGHT.answering',
    'THOUGHT.calling',
    'THOUGHT.reasoning',
  ]);
});

it('goes on piece by piece to the same whole', () => {
  const bounds = { maxSteps: 1, maxViolations: 1, maxToolErrors: 1, maxToolCalls: 1, callsPerReply: 1 };
  const explorer = exploring({ bounds });
  const seen: number[] = [];
  let turn = explorer.next();
  for (; turn.done !== true; turn = explorer.next()) seen.push(turn.value.states);
  expect(seen.length).toBeGreaterThanOrEqual(turn.value.budgets);
  expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  expect(seen.at(-1)).toBe(turn.value.states);
  expect(turn.value).toEqual(explore({ bounds }));
});

type Guards = Parameters<typeof machine.provide>[0]['guards'];
type Asked = { readonly context: ReactContext };
const over =
  (field: 'maxSteps' | 'maxViolations' | 'maxToolErrors', used: keyof ReactContext) =>
  ({ context }: Asked) =>
    Number(context[used]) > context.limits[field];

const changedGuards: readonly (readonly [string, NonNullable<Guards>, RegExp])[] = [
  ['steps: > for >=', { stepsSpent: over('maxSteps', 'step') }, /the model is not asked when a budget is spent/],
  ['steps are never spent', { stepsSpent: () => false }, /the model is not asked when a budget is spent/],
  ['fuse: > for >=', { fuseBlown: over('maxViolations', 'violationsInRow') }, /a fuse that is blown ends the run/],
  ['tool fuse: > for >=', { toolFuseBlown: over('maxToolErrors', 'toolErrorsInRow') }, /a fuse that is blown ends/],
  [
    'a fuse blows early',
    { fuseBlown: ({ context }) => context.violationsInRow + 1 >= context.limits.maxViolations },
    /a reason is true/,
  ],
  ['the budget is checked after the call', { nothingMayStart: () => false }, /no tool starts when a budget is spent/],
  ['tokens are never spent', { tokensSpent: () => false }, /the model is not asked when a budget is spent/],
  ['an answer does not end the run', { answered: () => false }, /an answer ends the run/],
  [
    'an empty answer will do',
    { answerPresent: ({ event }) => event.type === 'reply.ended' },
    /what holds no step is a violation, and nothing else is/,
  ],
  ['any end is a loop', { looping: () => true }, /a reason is true/],
  ['others that run are forgotten', { othersStarted: () => false }, /a step is over when its calls are/],
  ['nobody is left to ask', { othersUndecided: () => true }, /something is due until the end/],
  ['a person is asked about nothing', { anyAsking: () => true }, /something is due until the end/],
  ['a loop is never seen', { looping: () => false }, /a loop that is seen ends the run/],
  ['a guard throws', { anyReady: () => JSON.parse('{') }, /no guard and no reducer throws: .*anyReady/],
];

const changed = (change: (context: ReactContext) => Partial<ReactContext>) =>
  reduce((context) => ({ ...context, ...change(context) }));

const changedActions: readonly (readonly [
  string,
  NonNullable<Parameters<typeof machine.provide>[0]['actions']>,
  RegExp,
])[] = [
  ['steps are not counted', { spendStep: changed(() => ({ calls: [], violation: null })) }, /costs one step/],
  [
    'a violation is not counted',
    { countViolation: changed(() => ({})) },
    /what holds no step is a violation, and nothing else is/,
  ],
  [
    'a violation costs two',
    { countViolation: changed((c) => ({ violations: c.violations + 2 })) },
    /raises its fuse by/,
  ],
  ['the fuse is reset by whatever', { judgeStep: changed(() => ({ violationsInRow: 0 })) }, /only a success resets it/],
  ['the tool fuse never rises', { judgeStep: changed(() => ({})) }, /a failed tool step raises its fuse/],
  ['replies are free', { chargeReply: changed(() => ({})) }, /a reply is charged once/],
  ['started calls are not counted', { startCalls: changed((c) => ({ calls: started(c) })) }, /a tool that starts is/],
  ['effects are forgotten', { abandonCalls: changed((c) => ({ calls: unknown(c) })) }, /what may have happened/],
  ['calls in flight stay so', { abandonCalls: changed(() => ({})) }, /leaves nothing in flight/],
  ['an end has no reason', { endWith: () => {} }, /an end has its reason/],
  ['a reducer throws', { keepVerdicts: changed(() => JSON.parse('{')) }, /no guard and no reducer throws/],
  [
    'a step leaves its calls',
    { keepResult: changed((c) => ({ calls: c.calls.slice(1) })) },
    /a call only goes forward/,
  ],
  ['approved calls start again', { keepDecision: changed(() => ({})) }, /./],
];

const started = ({ calls }: ReactContext) =>
  calls.map((call) => (call.status === 'ready' ? { ...call, status: 'started' as const } : call));
const unknown = ({ calls }: ReactContext) =>
  calls.map((call) => (call.status === 'started' ? { ...call, status: 'unknown' as const } : call));

describe('a planted fault is found', () => {
  test.each(changedGuards)('%s', (_, planted, law) => {
    expect(Object.keys(planted).filter((name) => !Object.hasOwn(guards, name))).toEqual([]);
    expectBroken(machine.provide({ guards: planted }), law);
  });

  test.each(changedActions)('%s', (_, planted, law) => expectBroken(machine.provide({ actions: planted }), law));

  const bounds = { maxSteps: 2, maxViolations: 1 };
  function expectBroken(planted: typeof machine, law: RegExp) {
    const { ok, counterexample } = explore({ machine: planted, bounds });
    expect(ok).toBe(false);
    expect(counterexample?.broken.join('\n')).toMatch(law);
    expect(counterexample?.path.length).toBeLessThan(10);
  }
});

test('a counterexample is drawn as a path of states with the events on it', () => {
  const { counterexample } = explore({ machine: machine.provide({ guards: { nothingMayStart: () => false } }) });
  expect(counterexample === null ? '' : drawPath(counterexample)).toMatchInlineSnapshot(`
    "broken   no tool starts when a budget is spent
    budget   wallClockMs 1000, maxTokens 1000000, maxParallel 2, modelRetries 0, maxSteps 1, maxToolCalls 0, maxViolations 1, maxToolErrors 1, loopGuard off, maxEmptyResults off, checksAnswer false

      (begin)
         │
         │ run.started                                                    ⇒ recordStep, askModel
         ▼
      THOUGHT.reasoning
         │
         │ reply.stopped (action, step 1, 1 token, at 1 ms)
         ▼
      THOUGHT.calling
         │
         │ reply.stopped (observation, 1 call, step 1, 1 token, at 1 ms)  ⇒ cancelReply, checkCalls
         ▼
      ACTION.gating
         │
         │ calls.checked (1.1 run readOnly, step 1, at 1 ms)              ⇒ runCalls
         ▼
      ACTION.running   ✗ here"
  `);
});

test('a certificate says what was covered', () => {
  const bounds = { maxSteps: 1, maxToolCalls: 1, maxViolations: 1, maxToolErrors: 1, callsPerReply: 1 };
  expect(certificate(explore({ bounds })).split('\nlaws')[0]).toMatchInlineSnapshot(`
    "Every path ends within its budget, and every law holds on every edge.

    machine   iwqiqho4v5nnk559ev58, of its states, events and names
    budgets   73: maxSteps 0 to 1, maxToolCalls 0 to 1, maxViolations 0 to 1, maxToolErrors 0 to 1, each with
              each; with tokens plenty, 2 and 0; with loop guard, answer check and limit of empty results all off and all on
    replies   of one call in all of them
              of two reads where one may run at once, and of three where two may
              asked for again where they failed, up to twice; with agents as tools, which spend some of the budget or all
    states    9,798 (9 named: ACTION.awaitingApproval, ACTION.checkingAnswer, ACTION.gating, ACTION.running, ERROR, FINAL, THOUGHT.answering, THOUGHT.calling, THOUGHT.reasoning)
    edges     28,333, and 1,189 restores, one in every state that is no end
    gone on   2,014 times from an end, with one more of everything; of one step, whole runs behind it
    dropped   336,487 events changed nothing, as they must: late, foreign, twice, or of no use
    longest   12 transitions from the first state to an end, without restores"
  `);
});

test.each([
  [{ maxSteps: Number.NaN }, 'bounds.maxSteps is NaN.'],
  [{ maxToolCalls: -1 }, 'bounds.maxToolCalls is -1.'],
  [{ callsPerReply: 4 }, 'bounds.callsPerReply is 4.'],
  [JSON.parse('{"steps": 3}'), 'bounds.steps is not a bound.'],
])('bounds %j are refused', (bounds, message) => {
  expect(() => explore({ bounds })).toThrow(message);
});

describe('states are told apart', () => {
  const context = initialContext({ limits: limits() });
  const key = (extra: object) => stateKey({ state: 'ERROR', context: { ...context, ...extra } });

  test.each<[unknown, unknown]>([
    [new Error('one'), new Error('two')],
    [undefined, null],
    [1, '1'],
    [0, -0],
    [[1, 2], [12]],
    [new Map([[1, 2]]), new Map([[2, 1]])],
    [new Set([1]), new Set([2])],
    [{ a: undefined }, {}],
    [1n, 1],
    [new Date(1), new Date(2)],
  ])('%o is not %o', (one, other) => {
    expect(key({ extra: one })).not.toBe(key({ extra: other }));
    expect(key({ extra: one })).toBe(key({ extra: one }));
  });

  it('refuses what cannot be compared', () => {
    expect(() => key({ extra: () => {} })).toThrow('A function in the context of the machine cannot be compared.');
  });
});

test.each<[string, number, [number, number][], number, number[] | null]>([
  ['nothing', 1, [], 0, null],
  [
    'a line',
    3,
    [
      [0, 1],
      [1, 2],
    ],
    2,
    null,
  ],
  [
    'two ways',
    4,
    [
      [0, 3],
      [0, 1],
      [1, 2],
      [2, 3],
    ],
    3,
    null,
  ],
  [
    'twice the same',
    2,
    [
      [0, 1],
      [0, 1],
    ],
    1,
    null,
  ],
  [
    'a ring',
    3,
    [
      [0, 1],
      [1, 2],
      [2, 0],
    ],
    0,
    [0, 1, 2],
  ],
  [
    'a ring with a tail before and behind',
    5,
    [
      [0, 1],
      [1, 2],
      [2, 1],
      [2, 3],
      [3, 4],
    ],
    0,
    [1, 2],
  ],
  ['itself', 1, [[0, 0]], 0, [0]],
])('the longest path: %s', (_, nodes, edges, length, cycle) => {
  const found = longestPath(nodes, edges);
  expect(found.length).toBe(length);
  expect(found.cycle === null ? null : [...found.cycle].sort()).toEqual(cycle);
});
