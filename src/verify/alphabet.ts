/**
 * What may happen to the machine, as a finite alphabet: every type of event, with every class of payload that a guard, a
 * reducer or a law can tell apart. All of them may come in every state: what fits, and what is late, foreign, twice, past
 * the deadline or without a time. Pure.
 */
import type { CallResult, CallSettled, ReactEvent } from '../core/events.ts';
import type { ReactContext, RunLimits } from '../core/snapshot.ts';
import type { Verdict } from '../core/verdict.ts';
import {
  ended,
  failedReply,
  failedTries,
  type Place,
  replies,
  stopped,
  tokens,
  truncated,
} from './alphabet-replies.ts';
import type { Explored } from './budgets.ts';

const early = 1;

type Calls = Pick<Explored, 'callsPerReply' | 'plainCalls' | 'nested'>;

/** The events that are tried in a state with this context; after the end, one of each type. */
export function eventsIn(context: ReactContext, explored: Calls): readonly ReactEvent[] {
  const here: Place = { ...ofTry(context.attempt), step: context.step, atMs: early };
  if (context.stopReason !== null) return [...oneOfEachType(context, here), ...fromOutside(context)];
  return [
    ...inPlace(context, explored, here),
    ...misplaced(context).flatMap((place) => oneOfEachType(context, place)),
    ...fromOutside(context),
  ];
}

function ofTry(attempt: number): Pick<Place, 'attempt'> {
  return attempt === 1 ? {} : { attempt };
}

function fromOutside({ limits, calls }: ReactContext): ReactEvent[] {
  return [
    { type: 'run.aborted', atMs: early, why: '', tokens: tokens(1) },
    ...waitingEnds(calls),
    { type: 'clock.expired', atMs: early, tokens: tokens(1) }, // it cannot be true yet
    { type: 'clock.expired', atMs: limits.wallClockMs, tokens: tokens(1) },
    { type: 'store.failed', atMs: early, message: 'no space', hint: '', tokens: tokens(1) },
    { type: 'machine.failed', atMs: early, message: 'a defect' },
  ];
}

/** An abort while the first call that was let through still waits for its place. */
function waitingEnds(calls: ReactContext['calls']): ReactEvent[] {
  const first = calls.find(({ status }) => status === 'started');
  if (first === undefined) return [];
  return [{ type: 'run.aborted', atMs: early, why: '', tokens: tokens(1), waiting: [first.callId] }];
}

/** Of the step before and of one that has not begun; of another try; at the deadline; at no time at all. */
function misplaced({ step, attempt, limits }: ReactContext): readonly Place[] {
  const others = limits.modelRetries === 0 ? [] : [attempt - 1, attempt + 1];
  return [
    { ...ofTry(attempt), step: step - 1, atMs: early },
    { ...ofTry(attempt), step: step + 1, atMs: early },
    ...others.map((other) => ({ ...ofTry(other), step, atMs: early })),
    { ...ofTry(attempt), step, atMs: limits.wallClockMs },
    { ...ofTry(attempt), step, atMs: Number.NaN },
    { ...ofTry(attempt), step, atMs: -1 },
  ];
}

function inPlace(
  context: ReactContext,
  { callsPerReply, plainCalls = false, nested = false }: Calls,
  place: Place,
): ReactEvent[] {
  return [
    ...replies(context, callsPerReply, place),
    ...failedTries(context, place),
    ...verdictLists(context, callsPerReply, plainCalls).map((verdicts) => checked(verdicts, place)),
    ...callIds(context, callsPerReply).flatMap((callId) => [
      ...ofCall(context, callId, place),
      ...(nested ? ofAgents(context, callId, place) : []),
    ]),
    ...otherEvents(place),
    accepted('another', place),
  ];
}

/** Those whose payload makes no difference, or the usual one. */
function otherEvents(place: Place): ReactEvent[] {
  return [
    { type: 'reply.filtered', ...place, tokens: tokens(1) },
    failedReply(place),
    { type: 'prompt.refused', ...place, promptTokens: 9 },
    { type: 'approval.asked', ...place, untilMs: 1 },
    accepted('yes', place),
    { type: 'answer.rejected', ...place, hint: 'no' },
  ];
}

function oneOfEachType(context: ReactContext, place: Place): ReactEvent[] {
  const [callId = 'none'] = context.calls.map((call) => call.callId);
  return [
    stopped('action', 0, 1, place),
    ended({ calls: 1 }, 1, place),
    ended({ answer: 'yes' }, 1, place),
    truncated(1, place),
    checked(
      context.calls.map((call) => verdict(call.callId, verdictKinds[0])),
      place,
    ),
    ...ofCall(context, callId, place),
    ...otherEvents(place),
  ];
}

// Calls. Every verdict for each call of the reply, and lists that do not match it.

type Kind = Pick<Verdict, 'pass' | 'effect' | 'endsRun'>;

const verdictKinds: readonly [Kind, ...Kind[]] = [
  { pass: 'run', effect: 'readOnly', endsRun: false },
  { pass: 'run', effect: 'idempotent', endsRun: false },
  { pass: 'run', effect: 'unmarked', endsRun: false },
  { pass: 'run', effect: 'sideEffect', endsRun: false },
  { pass: 'run', effect: 'readOnly', endsRun: true },
  { pass: 'run', effect: 'sideEffect', endsRun: true },
  { pass: 'ask', effect: 'readOnly', endsRun: false },
  { pass: 'ask', effect: 'sideEffect', endsRun: false },
  { pass: 'ask', effect: 'sideEffect', endsRun: true },
  { pass: 'refuse', effect: 'unmarked', endsRun: false },
];

/** Calls beside one another differ to the machine in whether they start together, ask, end the run, or never start. */
const kindsBesideOthers = verdictKinds.filter(
  ({ effect, pass, endsRun }) =>
    effect !== 'idempotent' &&
    (effect !== 'unmarked' || pass === 'refuse') &&
    !(pass === 'run' && effect === 'sideEffect' && endsRun) &&
    !(pass === 'ask' && effect === 'readOnly'),
);

const plainKinds = kindsBesideOthers.filter(({ endsRun }) => !endsRun);

function verdictLists(
  { calls: read }: ReactContext,
  callsPerReply: number,
  plain: boolean,
): readonly (readonly Verdict[])[] {
  const lists = read.slice(0, callsPerReply).reduce<readonly (readonly Verdict[])[]>(
    (before, { callId }) => {
      const kinds = read.length === 1 ? verdictKinds : plain ? plainKinds : kindsBesideOthers;
      return before.flatMap((list) => kinds.map((kind) => [...list, verdict(callId, kind)]));
    },
    [[]],
  );
  const whole = lists[0] ?? [];
  // None of these is a list of one verdict for each call, in the order of the calls.
  const mismatched = [[verdict('none', verdictKinds[0])], [...whole, ...whole.slice(-1)], whole.slice(1)];
  return [...lists, ...mismatched, ...(whole.length > 1 ? [whole.toReversed()] : [])];
}

function verdict(callId: string, kind: Kind): Verdict {
  return { callId, key: 'A', input: null, observation: kind.pass === 'refuse' ? 'no' : null, ...kind };
}

function checked(verdicts: readonly Verdict[], place: Place): ReactEvent {
  return { type: 'calls.checked', ...place, verdicts };
}

/** Those of this reply, and one that it does not have. */
function callIds({ step }: ReactContext, callsPerReply: number): readonly string[] {
  return Array.from({ length: callsPerReply + 1 }, (_, index) => `${step}.${index + 1}`);
}

const results: readonly CallResult[] = ['succeeded', 'failed', 'unknown'];

/** The same result again, or another one: only the loop guard can tell them apart. */
function resultKeys({ loopGuard }: RunLimits): readonly string[] {
  return loopGuard === null ? ['same'] : ['same', 'other'];
}

/** Without a limit on them, results that hold nothing are like any other. */
function emptyWhereItCounts({ maxEmptyResults }: RunLimits): { readonly empty?: true } {
  return maxEmptyResults === null ? {} : { empty: true };
}

function ofCall({ limits }: ReactContext, callId: string, place: Place): ReactEvent[] {
  return [
    ...results.flatMap((result) => resultKeys(limits).map((key) => settled(callId, result, key, place))),
    { ...settled(callId, 'succeeded', 'same', place), observation: ' ', output: '', ...emptyWhereItCounts(limits) },
    { type: 'approval.granted', ...place, callId, input: null, key: 'A', by: null, edited: false },
    { type: 'approval.denied', ...place, callId, observation: 'no', cause: 'person', by: null, why: '' },
  ];
}

function settled(callId: string, result: CallResult, resultKey: string, place: Place): CallSettled {
  return {
    type: 'call.settled',
    ...place,
    callId,
    result,
    observation: 'seen',
    output: null,
    resultKey,
    startedAtMs: 0,
  };
}

/** An agent ran as the tool, and spent something, or more of everything than there was; or it was left at that. */
function ofAgents({ limits }: ReactContext, callId: string, place: Place): ReactEvent[] {
  const some = { steps: 1, toolCalls: 1, tokens: tokens(0) };
  const all = { steps: limits.maxSteps + 1, toolCalls: limits.maxToolCalls + 1, tokens: tokens(limits.maxTokens + 1) };
  return [some, all].flatMap((spent) => [
    { ...settled(callId, 'succeeded', 'same', place), spent },
    { ...settled(callId, 'failed', 'same', place), spent },
    { type: 'run.aborted', atMs: place.atMs, why: '', tokens: tokens(1), spent },
  ]);
}

function accepted(answer: string, place: Place): ReactEvent {
  return { type: 'answer.accepted', ...place, answer };
}
