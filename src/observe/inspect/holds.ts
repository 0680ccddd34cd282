/**
 * All runs that the inspector holds, bounded in memory: the ones that ended longest ago go first. Where all are live, they are cut
 * in their middles, and one goes only where there is no room for the beginnings and last steps of all.
 */
import type { LiveEvent } from '../../core/trace.ts';
import { isTraceEvent } from '../../core/trace.ts';
import { createGone } from './gone.ts';
import { createHold, type Hold } from './hold.ts';
import type { RunSummary } from './wire.ts';

export interface Holds {
  /** A new one. */
  open(runId: string, file: string | null): Hold;
  find(key: string): Hold | null;
  /** Those of this program with that id, in the order in which they began. */
  ofProgram(runId: string): readonly Hold[];
  /** In the order in which they began. */
  all(): readonly Hold[];
  /** Whether it is still held. */
  has(hold: Hold): boolean;
  take(hold: Hold, event: LiveEvent): void;
  /** Something about it has changed that the list tells. */
  touch(hold: Hold): void;
  /** What a list lacks that was told up to there. Null where too much has gone since: all must be told anew. */
  since(told: Told, most: number): Changes | null;
  /** Where a new list begins: it lacks all runs, and has seen none of those that have gone. */
  beginning(): Told;
  bytes(): number;
}

/** Versions up to which all runs, and all that have gone, are told. */
export interface Told {
  readonly runs: number;
  readonly gone: number;
}

export interface Changes {
  readonly runs: readonly RunSummary[];
  readonly gone: readonly string[];
  readonly told: Told;
}

export interface HoldsOptions {
  readonly mostBytes: number;
  readonly mostBytesPerRun: number;
  /** Something is new for the readers of a run, or, without one, of the list. */
  readonly onChange: (hold: Hold | null) => void;
}

interface Held {
  readonly hold: Hold;
  readonly version: number;
}

/** Of `mostBytes`, what is left where live runs are cut: else they would be cut again with each event. */
const shrunkShare = 0.9;

export function createHolds({ mostBytes, mostBytesPerRun, onChange }: HoldsOptions): Holds {
  /** Each with the version of its last change; the one that changed last stands last. */
  const held = new Map<string, Held>();
  const byId = createIds();
  const gone = createGone();
  let [version, opened, bytes] = [0, 0, 0];

  const touch = (hold: Hold) => {
    if (!held.delete(hold.key)) return;
    held.set(hold.key, { hold, version: ++version });
    onChange(null);
  };
  const drop = (hold: Hold) => {
    if (!held.delete(hold.key)) return;
    bytes -= hold.bytes();
    byId.remove(hold);
    gone.add(hold.key, ++version);
    onChange(null);
    onChange(hold);
  };
  /** In the order of their last changes, until there is room. */
  const dropAll = (isToGo: (hold: Hold) => boolean) => {
    for (const { hold } of held.values()) if (bytes > mostBytes && isToGo(hold)) drop(hold);
  };
  const makeRoom = (kept: Hold) => {
    if (bytes <= mostBytes) return;
    dropAll((hold) => hold !== kept && hold.isOver());
    if (bytes > mostBytes) bytes -= shrinkHalves([...held.values()], bytes - mostBytes * shrunkShare, touch);
    dropAll((hold) => hold !== kept);
  };
  return {
    touch,
    open(runId, file) {
      const hold = createHold({ number: ++opened, runId, file, mostBytes: mostBytesPerRun });
      held.set(hold.key, { hold, version: ++version });
      if (file === null) byId.add(hold);
      bytes += hold.bytes();
      makeRoom(hold);
      onChange(null);
      return hold;
    },
    find: (key) => held.get(key)?.hold ?? null,
    ofProgram: byId.of,
    all: () => [...held.values()].map(({ hold }) => hold).sort((one, other) => one.number - other.number),
    has: ({ key }) => held.has(key),
    take(hold, event) {
      if (!held.has(hold.key)) return;
      const before = hold.bytes();
      if (isTraceEvent(event)) hold.add(event);
      else hold.arrives(event);
      bytes += hold.bytes() - before;
      if (isTraceEvent(event)) touch(hold);
      onChange(hold);
      makeRoom(hold);
    },
    since: (told, most) => changesBehind({ held, gone: gone.since(told.gone), version }, told, most),
    beginning: () => ({ runs: -1, gone: version }),
    bytes: () => bytes,
  };
}

/** The largest first, each by half, until so many bytes are free, or none can be cut. Gives how many are. */
function shrinkHalves(held: readonly Held[], wanted: number, touch: (hold: Hold) => void): number {
  let free = 0;
  const shrink = (hold: Hold) => {
    const before = hold.bytes();
    if (free >= wanted || !hold.shrink()) return false;
    free += before - hold.bytes();
    touch(hold);
    return true;
  };
  let left = held.map(({ hold }) => hold).sort((one, other) => other.bytes() - one.bytes());
  while (left.length > 0) left = left.filter(shrink);
  return free;
}

/** Several runs may have one id. */
function createIds() {
  const byId = new Map<string, Set<Hold>>();
  return {
    of: (runId: string): readonly Hold[] => [...(byId.get(runId) ?? [])],
    add(hold: Hold) {
      byId.set(hold.runId, (byId.get(hold.runId) ?? new Set()).add(hold));
    },
    remove(hold: Hold) {
      const same = byId.get(hold.runId);
      same?.delete(hold);
      if (same?.size === 0) byId.delete(hold.runId);
    },
  };
}

interface Present {
  readonly held: ReadonlyMap<string, Held>;
  readonly gone: readonly string[] | null;
  readonly version: number;
}

function changesBehind({ held, gone, version }: Present, told: Told, most: number): Changes | null {
  if (gone === null) return null;
  const { runs, upTo } = changedSince(held, told.runs, most);
  return { runs, gone, told: { runs: upTo ?? version, gone: version } };
}

/** `upTo` is null where these are all. */
function changedSince(held: ReadonlyMap<string, Held>, version: number, most: number) {
  const changed = [...held.values()].filter((one) => one.version > version);
  const shown = changed.slice(0, most);
  const upTo = shown.length < changed.length ? (shown.at(-1)?.version ?? version) : null;
  return { runs: shown.map(({ hold }) => hold.summary()), upTo };
}
