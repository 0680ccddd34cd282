/**
 * The truth table of the machine: state × event × guard → state and commands. A transition without a row fails, and every
 * pair of state and event without a row must change nothing.
 */
import { describe, expect, it } from 'vitest';
import { type AnyStateNode, createActor } from 'xstate';
import { createReactMachine } from '../../machines/react.machine.ts';
import type { ReactEvent } from '../../src/core/events.ts';
import type { RunLimits } from '../../src/core/snapshot.ts';
import { stateOf } from '../../src/step.ts';
import * as e from './driver.ts';

const calling = [e.stopped('action')];
const answering = [e.stopped('answer')];
const gating = (calls = 1, total = 2) => [...calling, e.ended({ calls, total })];
const running = (passes = 'r') => [...gating(passes.length), e.checked(passes)];
const checkingAnswer = [...answering, e.ended({ answer: 'yes' })];
const checks = { checksAnswer: true };
const empty: ReactEvent = Object.assign({}, e.settled(), { empty: true });

const toThought = 'recordStep askModel';
const fromThought = 'cancelReply';
const nextThought = `${fromThought} ${toThought}`;
const ends = `${fromThought} recordStep`;

interface Row {
  /** The events that lead to the state before. */
  readonly after: readonly ReactEvent[];
  readonly limits?: Partial<RunLimits>;
  readonly when: string;
  readonly event: ReactEvent;
  readonly to: string;
  readonly reason?: string;
  readonly commands: string;
}

const row = (
  after: readonly ReactEvent[],
  when: string,
  event: ReactEvent,
  to: string,
  commands: string,
  more: Pick<Row, 'limits' | 'reason'> = {},
): Row => ({ after, when, event, to, commands, ...more });

const retries = { modelRetries: 1 };
const again = 'cancelReply askModel';

const table: Readonly<Record<string, readonly Row[]>> = {
  'THOUGHT.reasoning': [
    row([], 'an action', e.stopped('action'), 'THOUGHT.calling', ''),
    row([], 'an answer', e.stopped('answer'), 'THOUGHT.answering', ''),
    row([], 'an end without a step', e.ended({ violation: 'no_step' }), 'THOUGHT.reasoning', nextThought),
    row([], 'an end on the last violation', e.ended({ violation: 'no_step' }), 'ERROR', ends, {
      limits: { maxViolations: 1 },
      reason: 'violations_exhausted',
    }),
    row([], 'an end in the last step', e.ended({ violation: 'no_step' }), 'ERROR', ends, {
      limits: { maxSteps: 1 },
      reason: 'max_steps',
    }),
    row([], 'an end that spends the tokens', e.ended({ violation: 'no_step', total: 50 }), 'ERROR', ends, {
      limits: { maxTokens: 50 },
      reason: 'token_budget',
    }),
    row([], 'a cut', e.truncated(), 'THOUGHT.reasoning', nextThought),
    row([], 'a filter', e.filtered(), 'ERROR', fromThought, { reason: 'content_filter' }),
    row([], 'a failure', e.failed(), 'ERROR', fromThought, { reason: 'model_error' }),
    row([], 'a failure that may be tried again', e.brokeOff(), 'THOUGHT.reasoning', again, { limits: retries }),
    row([], 'a failure, and no try is left', e.brokeOff(), 'ERROR', fromThought, { reason: 'model_error' }),
    row([e.brokeOff()], 'a failure of the last try', e.brokeOff({ attempt: 2 }), 'ERROR', fromThought, {
      limits: retries,
      reason: 'model_error',
    }),
    row([], 'a failure, and the wait is too long', e.brokeOff({ retryAtMs: 180_000 }), 'ERROR', fromThought, {
      limits: retries,
      reason: 'model_error',
    }),
    row([], 'a failure that spent the tokens', e.brokeOff(), 'ERROR', fromThought, {
      limits: { ...retries, maxTokens: 2 },
      reason: 'model_error',
    }),
    row([], 'a prompt that does not fit', e.promptRefused(), 'ERROR', fromThought, { reason: 'token_budget' }),
    row([], 'an abort', e.aborted(), 'ERROR', fromThought, { reason: 'aborted' }),
    row([], 'the deadline', e.expired(), 'ERROR', fromThought, { reason: 'timeout' }),
    row([], 'a store that fails', e.storeFailed(), 'ERROR', fromThought, { reason: 'store_error' }),
    row([], 'a defect', e.machineFailed(), 'ERROR', fromThought, { reason: 'internal_error' }),
  ],
  'THOUGHT.calling': [
    row(calling, 'a stop behind a whole call', e.stopped('observation', 1), 'ACTION.gating', 'cancelReply checkCalls'),
    row(calling, 'an answer where no call is whole', e.stopped('answer'), 'THOUGHT.answering', ''),
    row(calling, 'an end with calls', e.ended({ calls: 1 }), 'ACTION.gating', 'cancelReply checkCalls'),
    row(calling, 'an end without calls', e.ended({ violation: 'missing_input' }), 'THOUGHT.reasoning', nextThought),
    row(calling, 'a cut', e.truncated(), 'THOUGHT.reasoning', nextThought),
    row(calling, 'a filter', e.filtered(), 'ERROR', fromThought, { reason: 'content_filter' }),
    row(calling, 'a failure', e.failed(), 'ERROR', fromThought, { reason: 'model_error' }),
    row(calling, 'a failure that may be tried again', e.brokeOff(), 'THOUGHT.reasoning', again, { limits: retries }),
    row(calling, 'a prompt that does not fit', e.promptRefused(), 'ERROR', fromThought, { reason: 'token_budget' }),
    row(calling, 'an abort', e.aborted(), 'ERROR', fromThought, { reason: 'aborted' }),
    row(calling, 'the deadline', e.expired(), 'ERROR', fromThought, { reason: 'timeout' }),
    row(calling, 'a store that fails', e.storeFailed(), 'ERROR', fromThought, { reason: 'store_error' }),
    row(calling, 'a defect', e.machineFailed(), 'ERROR', fromThought, { reason: 'internal_error' }),
  ],
  'THOUGHT.answering': [
    row(answering, 'an end with the answer', e.ended({ answer: 'yes' }), 'FINAL', ends, { reason: 'final' }),
    row(
      answering,
      'an end with the answer, which is checked',
      e.ended({ answer: 'yes' }),
      'ACTION.checkingAnswer',
      'cancelReply checkAnswer',
      { limits: checks },
    ),
    row(answering, 'an end with an empty answer', e.ended({ answer: ' ' }), 'THOUGHT.reasoning', nextThought),
    row(answering, 'a cut', e.truncated(), 'THOUGHT.reasoning', nextThought),
    row(answering, 'a filter', e.filtered(), 'ERROR', fromThought, { reason: 'content_filter' }),
    row(answering, 'a failure', e.failed(), 'ERROR', fromThought, { reason: 'model_error' }),
    row(answering, 'a failure that may be tried again', e.brokeOff(), 'THOUGHT.reasoning', again, { limits: retries }),
    row(answering, 'a prompt that does not fit', e.promptRefused(), 'ERROR', fromThought, { reason: 'token_budget' }),
    row(answering, 'an abort', e.aborted(), 'ERROR', fromThought, { reason: 'aborted' }),
    row(answering, 'the deadline', e.expired(), 'ERROR', fromThought, { reason: 'timeout' }),
    row(answering, 'a store that fails', e.storeFailed(), 'ERROR', fromThought, { reason: 'store_error' }),
    row(answering, 'a defect', e.machineFailed(), 'ERROR', fromThought, { reason: 'internal_error' }),
  ],
  'ACTION.gating': [
    row(gating(), 'all may run', e.checked('r'), 'ACTION.running', 'runCalls'),
    row(gating(), 'one asks', e.checked('a'), 'ACTION.awaitingApproval', 'askApproval'),
    row(gating(2), 'one runs and one asks', e.checked('ra'), 'ACTION.running', 'runCalls'),
    row(gating(), 'all are refused', e.checked('x'), 'THOUGHT.reasoning', toThought),
    row(gating(), 'all are refused, on the last tool error', e.checked('x'), 'ERROR', 'recordStep', {
      limits: { maxToolErrors: 1 },
      reason: 'tool_errors_exhausted',
    }),
    row(gating(), 'no reply is left that could use a result', e.checked('r'), 'ERROR', '', {
      limits: { maxSteps: 1 },
      reason: 'max_steps',
    }),
    row(gating(), 'no reply is left, and the call ends the run', e.checked('e'), 'ACTION.running', 'runCalls', {
      limits: { maxSteps: 1 },
    }),
    row(
      gating(),
      'no reply is left, and one that asks ends the run',
      e.checked('q'),
      'ACTION.awaitingApproval',
      'askApproval',
      { limits: { maxSteps: 1 } },
    ),
    row(gating(1, 51), 'the provider counted above the budget', e.checked('e'), 'ERROR', '', {
      limits: { maxTokens: 50 },
      reason: 'token_budget',
    }),
    row(gating(2), 'more calls than the budget holds', e.checked('rr'), 'ERROR', '', {
      limits: { maxToolCalls: 1 },
      reason: 'max_tool_calls',
    }),
    row(gating(), 'a person would be asked in vain', e.checked('a'), 'ERROR', '', {
      limits: { maxToolCalls: 0 },
      reason: 'max_tool_calls',
    }),
    row(gating(), 'an abort', e.aborted(), 'ERROR', '', { reason: 'aborted' }),
    row(gating(), 'the deadline', e.expired(), 'ERROR', '', { reason: 'timeout' }),
    row(gating(), 'a store that fails', e.storeFailed(), 'ERROR', '', { reason: 'store_error' }),
    row(gating(), 'a defect', e.machineFailed(), 'ERROR', '', { reason: 'internal_error' }),
  ],
  'ACTION.running': [
    row(running(), 'the result', e.settled(), 'THOUGHT.reasoning', `cancelCalls ${toThought}`),
    row(running(), 'a failure', e.settled(1, 'failed'), 'THOUGHT.reasoning', `cancelCalls ${toThought}`),
    row(running(), 'a failure on the last tool error', e.settled(1, 'failed'), 'ERROR', 'cancelCalls recordStep', {
      limits: { maxToolErrors: 1 },
      reason: 'tool_errors_exhausted',
    }),
    row(running('e'), 'the result of a call that ends the run', e.settled(), 'FINAL', 'cancelCalls recordStep', {
      reason: 'final',
    }),
    row(
      running('er'),
      'a result that ends the run, and another is ready',
      e.settled(1),
      'FINAL',
      'cancelCalls recordStep',
      {
        reason: 'final',
      },
    ),
    row(
      running('ea'),
      'a result that ends the run, and another asks',
      e.settled(1),
      'FINAL',
      'cancelCalls recordStep',
      {
        reason: 'final',
      },
    ),
    row(running(), 'an abort while it waits for its place', e.aborted(1, ['1.1']), 'ERROR', 'cancelCalls', {
      reason: 'aborted',
    }),
    row(running('rr'), 'the first result', e.settled(1), 'ACTION.running', 'cancelCalls runCalls'),
    row(
      [...gating(2), e.checked('rr', { effect: 'readOnly' })],
      'the first of two reads',
      e.settled(1),
      'ACTION.running',
      '',
    ),
    row(
      [...gating(3), e.checked('rrr', { effect: 'readOnly' })],
      'a read, and the next takes its place',
      e.settled(1),
      'ACTION.running',
      'runCalls',
      { limits: { maxParallel: 2 } },
    ),
    row(
      [...gating(2), e.checked('rr', { effect: 'readOnly' })],
      'the first of two reads, which may not run together',
      e.settled(1),
      'ACTION.running',
      'cancelCalls runCalls',
      { limits: { maxParallel: 1 } },
    ),
    row(running(), 'the last result that may hold nothing', empty, 'ERROR', 'cancelCalls recordStep', {
      limits: { maxEmptyResults: 1 },
      reason: 'no_progress',
    }),
    row(running('ra'), 'the result, and one asks', e.settled(1), 'ACTION.awaitingApproval', 'cancelCalls askApproval'),
    row(running('ra'), 'the result, and the one that asks does not fit', e.settled(1), 'ERROR', 'cancelCalls', {
      limits: { maxToolCalls: 1 },
      reason: 'max_tool_calls',
    }),
    row(running(), 'the fourth equal step', e.settled(), 'ERROR', 'cancelCalls recordStep', {
      limits: { loopGuard: { warnAt: 2, endAt: 1, cycleMax: 1 } },
      reason: 'loop_detected',
    }),
    row(running(), 'an abort', e.aborted(), 'ERROR', 'cancelCalls', { reason: 'aborted' }),
    row(running(), 'the deadline', e.expired(), 'ERROR', 'cancelCalls', { reason: 'timeout' }),
    row(running(), 'a store that fails', e.storeFailed(), 'ERROR', 'cancelCalls', { reason: 'store_error' }),
    row(running(), 'a defect', e.machineFailed(), 'ERROR', 'cancelCalls', { reason: 'internal_error' }),
  ],
  'ACTION.awaitingApproval': [
    row(running('a'), 'the asking', e.asked(), 'ACTION.awaitingApproval', ''),
    row(running('a'), 'a yes', e.granted(), 'ACTION.running', 'closeApproval runCalls'),
    row(running('aa'), 'a yes, and another is undecided', e.granted(2), 'ACTION.awaitingApproval', ''),
    row([...running('aa'), e.granted(2)], 'the last yes, and both do not fit', e.granted(1), 'ERROR', 'closeApproval', {
      limits: { maxToolCalls: 1 },
      reason: 'max_tool_calls',
    }),
    row(running('a'), 'a no', e.denied(), 'THOUGHT.reasoning', `closeApproval ${toThought}`),
    row(running('aa'), 'a no, and another is undecided', e.denied(1), 'ACTION.awaitingApproval', ''),
    row(
      [...running('aa'), e.granted(1)],
      'the last no, and another may run',
      e.denied(2),
      'ACTION.running',
      'closeApproval runCalls',
    ),
    row(
      [...running('aaa'), e.granted(1), e.granted(2)],
      'the last no, and the others do not fit',
      e.denied(3),
      'ERROR',
      'closeApproval',
      { limits: { maxToolCalls: 1 }, reason: 'max_tool_calls' },
    ),
    row(running('a'), 'an abort', e.aborted(), 'ERROR', 'closeApproval', { reason: 'aborted' }),
    row(running('a'), 'the deadline', e.expired(), 'ERROR', 'closeApproval', { reason: 'timeout' }),
    row(running('a'), 'a store that fails', e.storeFailed(), 'ERROR', 'closeApproval', { reason: 'store_error' }),
    row(running('a'), 'a defect', e.machineFailed(), 'ERROR', 'closeApproval', { reason: 'internal_error' }),
  ],
  'ACTION.checkingAnswer': [
    row(checkingAnswer, 'accepted', e.accepted(), 'FINAL', 'recordStep', { limits: checks, reason: 'final' }),
    row(checkingAnswer, 'sent back', e.rejected(), 'THOUGHT.reasoning', toThought, { limits: checks }),
    row(checkingAnswer, 'an abort', e.aborted(), 'ERROR', '', { limits: checks, reason: 'aborted' }),
    row(checkingAnswer, 'the deadline', e.expired(), 'ERROR', '', { limits: checks, reason: 'timeout' }),
    row(checkingAnswer, 'a store that fails', e.storeFailed(), 'ERROR', '', { limits: checks, reason: 'store_error' }),
    row(checkingAnswer, 'a defect', e.machineFailed(), 'ERROR', '', { limits: checks, reason: 'internal_error' }),
  ],
  FINAL: [],
  ERROR: [],
};

/** Ways into the states that have no rows of their own, and the limits they need. */
const waysIn: Readonly<Record<string, Pick<Row, 'after' | 'limits'>>> = {
  FINAL: { after: [...answering, e.ended({ answer: 'yes' })] },
  ERROR: { after: [e.aborted()] },
};

describe.each(Object.entries(table))('in %s', (state, rows) => {
  it.each(rows)('$when → $to', ({ after, limits, event, to, reason, commands }) => {
    const before = e.drive(after, limits);
    expect(e.stateName(stateOf(before.snapshot))).toBe(state);
    const stepped = e.port.step(before.snapshot, event);
    expect(e.stateName(stateOf(stepped.snapshot))).toBe(to);
    expect(stepped.snapshot.context.stopReason).toBe(reason ?? null);
    expect(stepped.commands.map(({ type }) => type).join(' ')).toBe(commands);
  });

  const known = new Set(rows.map(({ event }) => event.type));
  const { after, limits } = rows[0] ?? waysIn[state] ?? { after: [] };
  it.each(everyEvent().filter(({ type }) => !known.has(type)))('$type changes nothing', (event) => {
    const before = e.drive(after, limits);
    const stepped = e.port.step(before.snapshot, event);
    expect(stepped).toMatchObject({ ignored: true, commands: [] });
    expect(stepped.snapshot).toBe(before.snapshot);
  });
});

describe('the first door', () => {
  it.each([
    ['nothing is spent', {}, 'THOUGHT.reasoning', null],
    ['no violation is allowed', { maxViolations: 0 }, 'ERROR', 'violations_exhausted'],
    ['no tool error is allowed', { maxToolErrors: 0 }, 'ERROR', 'tool_errors_exhausted'],
    ['no step is allowed', { maxSteps: 0 }, 'ERROR', 'max_steps'],
    ['no token is allowed', { maxTokens: 0 }, 'ERROR', 'token_budget'],
    ['no time is allowed', { wallClockMs: 0 }, 'ERROR', 'timeout'],
    ['no tool call is allowed: a model may still answer', { maxToolCalls: 0 }, 'THOUGHT.reasoning', null],
  ] as const)('%s', (_when, changed, to, reason) => {
    const { snapshot, commands } = e.port.start(e.limits(changed));
    expect(e.stateName(stateOf(snapshot))).toBe(to);
    expect(snapshot.context.stopReason).toBe(reason);
    expect(commands.some(({ type }) => type === 'askModel')).toBe(reason === null);
  });
});

it('has a row for every transition of the machine', () => {
  const taken = new Set<unknown>();
  const machine = createReactMachine();
  const rows = Object.values(table).flat();
  const firstDoors: readonly Pick<Row, 'after' | 'limits' | 'event'>[] = [
    { after: [], limits: { wallClockMs: 0 }, event: e.aborted() },
  ];
  for (const { after, limits, event } of [...rows, ...firstDoors]) {
    const actor = createActor(machine, {
      input: { limits: e.limits(limits) },
      inspect: (seen) => {
        if (seen.type === '@xstate.microstep') for (const transition of seen._transitions) taken.add(transition);
      },
    });
    actor.start();
    for (const each of [...after, event]) if (actor.getSnapshot().status === 'active') actor.send(each);
  }
  const missing = everyTransition(machine).filter(({ transition }) => !taken.has(transition));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

/** One of each type, with an ordinary payload. */
function everyEvent(): readonly ReactEvent[] {
  return [
    ...[e.stopped('action'), e.ended(), e.truncated(), e.filtered(), e.failed(), e.promptRefused(), e.checked('r')],
    ...[
      e.asked(),
      e.granted(),
      e.denied(),
      e.settled(),
      e.accepted(),
      e.rejected(),
      e.aborted(),
      e.expired(),
      e.storeFailed(),
      e.machineFailed(),
    ],
  ];
}

function everyTransition({ root }: ReturnType<typeof createReactMachine>) {
  return nodesFrom(root).flatMap((node) =>
    [...[...node.transitions.values()].flat(), ...(node.always ?? [])].map((transition, index) => ({
      name: `${node.id} ${transition.eventType} ${index}`,
      transition,
    })),
  );
}

function nodesFrom(node: AnyStateNode): readonly AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(nodesFrom)];
}
