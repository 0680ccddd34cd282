/** Does what a case lets happen from outside. Everything here is done at once: nothing happens in between. */

import { isJsonObject } from '../../src/core/json.ts';
import type { Budget } from '../../src/index.ts';
import type { PlainVerb, PlannedEvent } from './events.ts';
import { describe, endLife, resumeRun } from './process.ts';
import type { Session } from './session.ts';

/** A failure of the case says which event could not be done. */
export function perform(session: Session, event: PlannedEvent): void {
  for (const step of event.verbs) {
    if (step.verb === 'raise') continue;
    try {
      verbs[step.verb](session, event);
    } catch (thrown) {
      session.seen.broken.push(`the event "${event.do}" at ${event.at} could not be done: ${describe(thrown)}`);
      return;
    }
  }
}

type Perform = (session: Session, event: PlannedEvent) => void;

const verbs: Readonly<Record<PlainVerb, Perform>> = {
  abort,
  approve: (session, event) => {
    for (const id of waiting(session, event)) runOf(session).approve(id, editOf(event));
  },
  approveImmediately: (session, event) => {
    for (const id of waiting(session, event)) runOf(session).approve(id, editOf(event));
  },
  reject: (session, event) => {
    for (const id of waiting(session, event)) runOf(session).deny(id, event.reason ?? 'not wanted');
  },
  snapshot: (session) => {
    const text = JSON.stringify(snapshotOf(session));
    session.kept = text;
    session.firstKept ??= text;
    session.seen.snapshots.push(text);
  },
  crash: ({ process }) => endLife(process),
  newProcess: ({ process }) => endLife(process),
  restore,
  editSnapshot,
};

/** Before the start, and where nobody holds the run, the caller's signal is what aborts it. */
function abort({ process, controller }: Session): void {
  if (process === null || process.run === null) controller.abort(new Error('the caller gave up'));
  else process.run.abort('the caller gave up');
}

function snapshotOf({ process }: Session): unknown {
  if (process !== null && process.run !== null && process.outcome === null) return process.run.snapshot();
  const outcome = process?.outcome ?? null;
  if (outcome === null || outcome.ok || outcome.snapshot === undefined)
    throw new Error('there is no snapshot: the outcome holds none');
  return outcome.snapshot;
}

function restore(session: Session, event: PlannedEvent): void {
  const text = session.kept ?? JSON.stringify(snapshotOf(session));
  session.firstKept ??= text;
  resumeRun(session, text, raised(event));
  session.arrive(({ moment }) => moment.kind === 'restored');
}

function raised({ verbs: all }: PlannedEvent): Partial<Budget> {
  return Object.fromEntries(
    all.flatMap((step) => (step.verb === 'raise' ? [[limitNames.get(step.limit) ?? step.limit, step.to]] : [])),
  );
}

const limitNames: ReadonlyMap<string, string> = new Map([['tokens', 'maxTokens']]);

function runOf({ process, refused }: Session): NonNullable<NonNullable<Session['process']>['run']> {
  if (process?.run) return process.run;
  throw new Error(refused === null ? 'there is no run' : `there is no run: ${refused.error}`);
}

/** The calls that wait and are meant: by their id in the case, by their tool, or all. A refused restore has none. */
function waiting(session: Session, { call, tool }: PlannedEvent): readonly string[] {
  if (session.process === null && session.refused !== null) return [];
  const calls = runOf(session)
    .snapshot()
    .context.calls.filter(({ status }) => status === 'asking');
  const wanted = call === undefined ? null : (session.callIds.get(call) ?? call);
  const meant = calls.filter(
    (each) => (wanted === null || each.callId === wanted) && (tool === undefined || each.tool === tool),
  );
  if (meant.length === 0) throw new Error('no such call waits for a decision');
  return meant.map(({ callId }) => callId);
}

/** What was approved is what runs: the input that the person saw, where the case says which it was. */
function editOf({ approvedArgs }: PlannedEvent): { readonly input: ReturnType<typeof JSON.parse> } | undefined {
  return approvedArgs === undefined ? undefined : { input: approvedArgs };
}

function editSnapshot(session: Session, { path = '', set }: PlannedEvent): void {
  if (session.kept === null) throw new Error('there is no snapshot to edit');
  const document: unknown = JSON.parse(session.kept);
  if (path === 'pending call arguments') editPending(document, set);
  else editAt(document, path.split('.'), set);
  session.kept = JSON.stringify(document);
}

function editPending(document: unknown, set: unknown): void {
  const context = memberOf(document, 'context');
  const calls = memberOf(context, 'calls');
  const pending = Array.isArray(calls) ? calls.filter((call: unknown) => memberOf(call, 'status') === 'asking') : [];
  if (pending.length === 0) throw new Error('no call is pending in the snapshot');
  for (const call of pending) {
    const before = memberOf(call, 'input');
    Object.assign(call, { input: isJsonObject(before) && isJsonObject(set) ? { ...before, ...set } : set });
  }
}

function editAt(document: unknown, names: readonly string[], set: unknown): void {
  const last = names.at(-1) ?? '';
  const holder = names.slice(0, -1).reduce(memberOf, document);
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, last))
    throw new Error(`the snapshot has no ${names.join('.')}`);
  Object.assign(holder, { [last]: set });
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}
