/** Contexts, calls and events for tests of the machine's parts as plain functions. */
import { initialContext } from '../../machines/context.ts';
import type { ApprovalGranted, CallSettled, ReactEvent, ReactEventType, ReplyStopped } from '../../src/core/events.ts';
import type { ReadCall } from '../../src/core/reading.ts';
import type { CallState, ReactContext, RunLimits } from '../../src/core/snapshot.ts';
import type { TokenCount } from '../../src/core/usage.ts';
import * as e from './driver.ts';

export const context = (changed: Partial<ReactContext> = {}, limits: Partial<RunLimits> = {}): ReactContext => ({
  ...initialContext({ limits: e.limits(limits) }),
  step: 1,
  ...changed,
});

/** The first call of the first step, unless it is told otherwise. */
export const call = (changed: Partial<CallState> = {}): CallState => ({
  callId: '1.1',
  tool: 'search',
  input: { q: 1 },
  repaired: false,
  status: 'read',
  effect: 'unmarked',
  endsRun: false,
  empty: false,
  key: 'key',
  resultKey: '',
  ...changed,
});

/** Calls of the first step that stand so. */
export const calls = (...statuses: readonly CallState['status'][]): readonly CallState[] =>
  statuses.map((status, index) => call({ callId: `1.${index + 1}`, status }));

/** One of each type. */
export const everyEvent: readonly ReactEvent[] = [
  e.stopped('action'),
  e.ended(),
  e.truncated(),
  e.filtered(),
  e.failed(),
  e.promptRefused(),
  e.checked('r'),
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
];

export const everyOther = (...known: readonly ReactEventType[]): readonly ReactEvent[] =>
  everyEvent.filter(({ type }) => !known.includes(type));

/** The members of an object that another one has not, or has otherwise. */
export function changes(before: object, after: object): { readonly [name: string]: unknown } {
  const earlier = new Map<string, unknown>(Object.entries(before));
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => earlier.get(name) !== value));
}

// Events of which a test changes a part.

export const settled = (changed: Partial<CallSettled>): CallSettled => ({
  type: 'call.settled',
  step: 1,
  atMs: 1,
  callId: '1.1',
  result: 'succeeded',
  observation: 'ok',
  output: 'ok',
  resultKey: 'ok',
  startedAtMs: 0,
  ...changed,
});

export const granted = (changed: Partial<ApprovalGranted>): ApprovalGranted => ({
  type: 'approval.granted',
  step: 1,
  atMs: 1,
  callId: '1.1',
  input: { q: 1 },
  key: 'key',
  by: null,
  edited: false,
  ...changed,
});

export const stoppedWith = (calls: readonly ReadCall[]): ReplyStopped => ({
  type: 'reply.stopped',
  step: 1,
  atMs: 1,
  stop: 'observation',
  thought: null,
  calls,
  text: '',
  tokens: { inputTokens: 1, outputTokens: 1, estimated: true },
});

export const abortedWith = (tokens: TokenCount): ReactEvent => ({ type: 'run.aborted', atMs: 1, why: '', tokens });
