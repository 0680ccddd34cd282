/** What a list says of a run, from its first and its last line alone, so that no store reads all between. Pure. */
import { isJsonObject } from '../core/json.ts';
import type { CallRef } from '../core/outcome.ts';
import { type StopReason, stopReasons } from '../core/stop-reasons.ts';
import type { CheckpointLine, JournalLine, RunFilter, StoredRun } from '../core/store.ts';
import { isCheckpoint } from './journal-line.ts';

/** What is known of a run from its first line. */
export type RunBeginning = Pick<StoredRun, 'task' | 'startedAtMs'>;
/** What is known of a run from its last line, where nobody holds it. */
export type RunRest = Pick<StoredRun, 'status' | 'stopReason' | 'waiting' | 'changedAtMs'>;

interface KnownOfRun {
  readonly runId: string;
  readonly heldBy: string | null;
  readonly bytes: number;
}

/** In code units. */
const mostOfTask = 200;

/** The first and the last line that are stored; they may be the same. */
export function storedRunOf(first: JournalLine, last: JournalLine, known: KnownOfRun): StoredRun {
  return storedRun(beginningOf(first), restOf(last), known);
}

export function storedRun(beginning: RunBeginning, rest: RunRest, { runId, heldBy, bytes }: KnownOfRun): StoredRun {
  const held = heldBy === null ? {} : ({ status: 'running', stopReason: null, waiting: [] } as const);
  return { runId, ...beginning, ...rest, ...held, heldBy, bytes, problem: null };
}

export function unreadableRun({ runId, heldBy, bytes }: KnownOfRun, problem: string): StoredRun {
  return {
    ...{ runId, status: 'unreadable', stopReason: null, task: '', startedAtMs: null, changedAtMs: null, waiting: [] },
    ...{ heldBy, bytes, problem },
  };
}

export function beginningOf(first: JournalLine): RunBeginning {
  if (isCheckpoint(first))
    return { task: taskOf(first.snapshot.task), startedAtMs: instantOf(first.snapshot.startedAtMs) };
  return { task: 'task' in first ? taskOf(first.task) : '', startedAtMs: first.wallMs };
}

/** A run that ended at rest has said so in its last line; one whose process died has not. */
export function restOf(last: JournalLine): RunRest {
  if (isCheckpoint(last)) return restOfCheckpoint(last);
  if (last.type !== 'run.ended') return { ...interrupted, changedAtMs: last.wallMs };
  const waiting = refsOf(last.waiting);
  return { ...ending(last.stopReason, waiting), changedAtMs: last.wallMs };
}

const interrupted = { status: 'interrupted', stopReason: null, waiting: [] } as const;

function restOfCheckpoint({ snapshot, wallMs }: CheckpointLine): RunRest {
  const { stopReason, calls } = snapshot.context;
  const waiting = calls
    .filter(({ status }) => status === 'asking')
    .map(({ callId, tool, input }) => ({ toolCallId: callId, tool, input }));
  if (stopReason === null && waiting.length === 0) return { ...interrupted, changedAtMs: wallMs };
  return { ...ending(stopReason ?? 'suspended', waiting), changedAtMs: wallMs };
}

function ending(given: string, waiting: readonly CallRef[]): Omit<RunRest, 'changedAtMs'> {
  const stopReason = reasonOf(given);
  if (stopReason === 'suspended') return { status: 'suspended', stopReason: null, waiting };
  return { status: 'ended', stopReason, waiting: [] };
}

/** Of a reason that this version does not know, it is not known how the run ended. */
function reasonOf(given: string): StopReason | null {
  return stopReasons.find((reason) => reason === given) ?? null;
}

/** What was read from a disk may hold anything. */
function taskOf(task: unknown): string {
  if (typeof task !== 'string') return '';
  const endsInHalf = /[\ud800-\udbff]$/.test(task.slice(0, mostOfTask));
  return task.slice(0, endsInHalf ? mostOfTask - 1 : mostOfTask);
}

function instantOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function refsOf(waiting: readonly CallRef[] | undefined): readonly CallRef[] {
  return Array.isArray(waiting) ? waiting.filter((one) => isJsonObject(one) && typeof one.toolCallId === 'string') : [];
}

/** Those that the filter lets through, the one that changed last first. */
export function listed(runs: readonly StoredRun[], filter: RunFilter = {}): readonly StoredRun[] {
  const { status, limit } = filter;
  const some = status === undefined ? [...runs] : runs.filter((run) => status.includes(run.status));
  some.sort((one, other) => lastChange(other) - lastChange(one) || (one.runId < other.runId ? -1 : 1));
  return limit === undefined ? some : some.slice(0, Math.max(0, limit));
}

function lastChange({ changedAtMs }: StoredRun): number {
  return changedAtMs ?? Number.NEGATIVE_INFINITY;
}
