/**
 * The events of a run folded through the machine: every one is obeyed again, every recorded state compared, every law
 * checked on every edge. What diverges is refused whole, with the number of the event, and never half used. Traces and
 * journals are read by this one.
 */
import type { Command } from '../../machines/commands.ts';
import { type Edge, isEnd, nameOf } from '../../machines/edge.ts';
import { checkLaws } from '../../machines/laws.ts';
import { mayGoOn } from '../../machines/reopen.ts';
import { AgentError } from '../core/errors.ts';
import type { ReactEvent } from '../core/events.ts';
import { isJsonObject } from '../core/json.ts';
import { messageOf } from '../core/message-of.ts';
import type { Snapshot, StatePath } from '../core/snapshot.ts';
import type { JournalEventLine } from '../core/store.ts';
import type { TraceEvent } from '../core/trace.ts';
import { type Port, type ReactSnapshot, restOf, stateOf } from '../step.ts';
import { isFact, isOfMachine } from './event-kinds.ts';
import { contextProblem, limitsProblem } from './snapshot-shape.ts';
import { takeUp } from './take-up.ts';

/** An event with its place, of a trace or of a journal. */
export type PlacedEvent = TraceEvent | JournalEventLine;

export interface FoldWith {
  readonly port: Port;
  /** What the first event follows, where it is not the beginning. */
  readonly from: Snapshot | null;
  /** Told of each event that was obeyed, or is a fact, with the commands that came of it. */
  readonly follow?: (event: PlacedEvent, commands: readonly Command[]) => void;
}

export interface Folded {
  /** The machine behind the last event. */
  readonly snapshot: ReactSnapshot;
  /** False where the events break off: `run.ended` is not the last one. */
  readonly ended: boolean;
  /** Transitions that were obeyed. */
  readonly edges: number;
}

/**
 * The machine after the events of one run, from its beginning (or from `from`). A run that went on from a snapshot may
 * follow: `run.resumed` takes up the number, and the state, at which the snapshot was taken.
 *
 * Throws AgentError (`invalid_option`) where a state differs from the recorded one, a number is missing, an event cannot
 * be obeyed, or a law is broken.
 */
export function foldEvents(events: readonly PlacedEvent[], { port, from, follow = () => {} }: FoldWith): Folded {
  const fold: Fold = { port, follow, rests: [], first: 0, pending: null, ended: false, edges: 0 };
  if (from !== null) {
    fold.first = from.sequence - 1;
    fold.rests.push(port.restore(from.state, from.context));
  }
  for (const event of events) take(fold, event);
  const snapshot = fold.rests.at(-1);
  if (snapshot === undefined) throw new AgentError('internal', 'A fold has no state.', { hint: 'Please report it.' });
  return { snapshot, ended: fold.ended, edges: fold.edges };
}

interface Fold {
  readonly port: Port;
  readonly follow: NonNullable<FoldWith['follow']>;
  /** The machine behind each event, so that a run can be taken up at any of them. */
  readonly rests: ReactSnapshot[];
  /** The number of the event behind which the machine was as in `rests[0]`. */
  first: number;
  /** What the machine obeyed in place of the event before; it is recorded next. */
  pending: ReactEvent | null;
  ended: boolean;
  edges: number;
}

function take(fold: Fold, event: PlacedEvent): void {
  if (!isJsonObject(event) || typeof event.type !== 'string' || typeof event.sequence !== 'number')
    throw new AgentError('invalid_option', `${show(event)} is not an event of a trace.`, { hint });
  if (fold.ended && event.type !== 'run.resumed') throw refused(event, 'follows the end of the run');
  if (event.type === 'run.started') begin(fold, event);
  else if (event.type === 'run.resumed') resume(fold, event);
  else follow(fold, event);
  const snapshot = fold.rests.at(-1);
  if (snapshot === undefined) return;
  const expected = stateOf(snapshot);
  if (JSON.stringify(event.state) !== JSON.stringify(expected))
    throw refused(event, `records the state ${stateName(event.state)}, and the machine is in ${nameOf(expected)}`);
}

function begin(fold: Fold, event: Extract<PlacedEvent, { type: 'run.started' }>): void {
  if (fold.rests.length > 0) throw refused(event, 'begins a second run');
  if (event.sequence !== 0) throw refused(event, 'is not event 0');
  if (event.machineHash !== fold.port.machineHash)
    throw refused(event, 'was recorded by another version of the machine');
  checkShape(event, limitsProblem(event.limits));
  const { snapshot, commands } = attempt(event, () => fold.port.start(event.limits));
  fold.rests.push(snapshot);
  fold.follow(event, commands);
}

/** A reply that was being read is asked for again; calls that had started are recovered; an end is left by the door. */
function resume(fold: Fold, event: Extract<PlacedEvent, { type: 'run.resumed' }>): void {
  const before = takenUp(fold, event);
  checkShape(event, limitsProblem(event.limits));
  const rest = restOf(before);
  if (isEnd(rest.state) && !mayGoOn(rest.context.stopReason)) throw refused(event, 'follows an end that is final');
  const { snapshot, commands } = attempt(event, () => takeUp(fold.port, rest, event));
  if (isEnd(rest.state))
    checkEdge(event, { before: rest, event: { type: 'run.restored' }, after: restOf(snapshot), commands });
  else checkRestored(fold, event, before);
  fold.rests.push(snapshot);
  fold.ended = false;
  fold.pending = null;
  fold.follow(event, commands);
}

function checkRestored({ port }: Fold, event: PlacedEvent, before: ReactSnapshot): void {
  const same = attempt(event, () => port.restore(stateOf(before), before.context));
  const { commands } = port.outstanding(same);
  checkEdge(event, { before: restOf(before), event: { type: 'run.restored' }, after: restOf(same), commands });
}

/** Where the snapshot was taken: behind an event of this trace, or in the document that was given. */
function takenUp(fold: Fold, event: PlacedEvent): ReactSnapshot {
  if (fold.rests.length === 0) throw refused(event, 'takes up a snapshot that is not in the trace');
  const place = event.sequence - fold.first;
  const before = fold.rests[place - 1];
  if (before === undefined)
    throw refused(event, `takes the run up behind event ${event.sequence - 1}, which is not in the trace`);
  fold.rests.length = place;
  return before;
}

function follow(fold: Fold, event: Exclude<PlacedEvent, { type: 'run.started' | 'run.resumed' }>): void {
  const before = fold.rests.at(-1);
  if (before === undefined) throw refused(event, 'comes before the beginning of the run');
  const due = fold.first + fold.rests.length;
  if (event.sequence !== due) throw refused(event, `stands where event ${due} belongs`);
  if (isOfMachine(event)) {
    fold.rests.push(obey(fold, before, event));
    return;
  }
  if (fold.pending !== null) throw refused(event, `stands where ${fold.pending.type} belongs`);
  if (event.type === 'run.ended') end(fold, before, event);
  else if (!isFact(event.type)) throw refused(event, 'is of a type that is not known');
  fold.rests.push(before);
  fold.follow(event, []);
}

function end(fold: Fold, { context }: ReactSnapshot, event: Extract<PlacedEvent, { type: 'run.ended' }>): void {
  const reason = context.stopReason ?? 'suspended';
  if (event.stopReason !== reason)
    throw refused(event, `records the end ${show(event.stopReason)}, and the machine has ${reason}`);
  checkShape(event, contextProblem(context));
  fold.ended = true;
}

function obey(fold: Fold, before: ReactSnapshot, event: ReactEvent & PlacedEvent): ReactSnapshot {
  const { pending } = fold;
  if (pending !== null && (pending.type !== event.type || pending.atMs !== event.atMs))
    throw refused(event, `stands where ${pending.type} belongs`);
  fold.pending = null;
  const stepped = attempt(event, () => fold.port.step(before, event));
  const ignored = event.ignored === true;
  if (stepped.ignored !== ignored)
    throw refused(
      event,
      `is recorded as ${ignored ? 'ignored' : 'obeyed'}, and the machine ${ignored ? 'obeys' : 'ignores'} it`,
    );
  if (ignored) {
    fold.pending = stepped.expired ?? stepped.failed ?? null;
    return before;
  }
  fold.edges++;
  const { snapshot: after, commands } = stepped;
  checkEdge(event, { before: restOf(before), event, after: restOf(after), commands });
  fold.follow(event, commands);
  return after;
}

/** What the machine does with an event, which may hold anything where it was edited. */
function attempt<Result>(event: PlacedEvent, work: () => Result): Result {
  try {
    return work();
  } catch (thrown) {
    throw refused(event, `cannot be obeyed: ${messageOf(thrown)}`, thrown);
  }
}

function checkEdge(event: PlacedEvent, edge: Edge): void {
  const broken = brokenLaws(edge, event);
  if (broken.length > 0) throw refused(event, `breaks the law "${broken.join('", "')}"`);
}

/** Laws are total for what the machine can reach; an event that was edited may hold anything. */
function brokenLaws(edge: Edge, event: PlacedEvent): readonly string[] {
  try {
    return checkLaws(edge);
  } catch (thrown) {
    throw refused(event, `cannot be checked: ${messageOf(thrown)}`, thrown);
  }
}

function checkShape(event: PlacedEvent, problem: string | null): void {
  if (problem !== null) throw refused(event, `cannot be used: ${problem}`);
}

const hint = 'The trace was changed, is not of one run, or is of another version. Take it from where it was recorded.';

function refused({ sequence, type }: PlacedEvent, what: string, cause?: unknown): AgentError {
  return new AgentError('invalid_option', `Event ${sequence} (${type}) ${what}.`, { hint, cause });
}

function stateName(state: StatePath): string {
  return typeof state === 'string' ? state : show(state);
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
