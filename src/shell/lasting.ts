/**
 * Runs that outlive their process: the journal on its way into a store, and the way back. A part of its own: bundles for
 * the edge leave it out unless they ask for it (`no-lasting.ts`).
 */
import { AgentError } from '../core/errors.ts';
import type { Snapshot } from '../core/snapshot.ts';
import { type HeldRun, type JournalLine, journalFormat, type Store } from '../core/store.ts';
import type { Settled } from '../core/within.ts';
import { type EndedPlan, endedRun, isOver, leaveStored, type Taken } from './ended-run.ts';
import { type FoldPlan, fromLines, storedSnapshot } from './fold-journal.ts';
import type { RunPlan } from './plan.ts';
import type { Lasting, OpenJournal, RunJournal } from './run-journal.ts';
import {
  createStoreWriter,
  isHeldRun,
  type Keeping,
  leaveLate,
  noHold,
  problemOf,
  type StoreWriter,
} from './store-writer.ts';

/** `plan`: what the agent reads a journal with. */
export function lastingRuns(store: Store, plan: FoldPlan & EndedPlan & Pick<RunPlan, 'clock'>): Lasting {
  if (!isStore(store))
    throw new AgentError('invalid_option', 'store is not a store.', {
      hint: "Use fileStore('runs') of fuseloop/store, or another.",
    });
  const { timeouts, within, clock } = plan;
  const keepingOf = (runId: string): Keeping => ({
    store,
    runId,
    within,
    limitMs: timeouts.hookMs,
    wallMs: () => clock.wallMs(),
  });
  return {
    begin: (runId) => (failed) => {
      const keeping = keepingOf(runId);
      const writer = createStoreWriter(keeping, failed);
      writer.open(
        () => store.open(runId),
        ({ lines }) => (lines.length === 0 ? null : isStored(runId, store)),
      );
      return journalOf(writer, keeping);
    },
    from: (snapshot) => {
      const { runId } = snapshot;
      return openFrom(
        keepingOf(runId),
        snapshot,
        () => store.open(runId),
        ({ lines }) => (isPastOf(snapshot, lines) ? null : hasGoneOn(runId, store)),
      );
    },
    resume: (runId, rules, goOn) => {
      const endAs = (taken: Taken) => endedRun(taken, plan, rules);
      return takeUpStored(keepingOf(runId), plan, { goOn, endAs });
    },
  };
}

function isStore(value: unknown): boolean {
  const methods = ['open', 'read', 'list', 'delete', 'close'];
  return (
    typeof value === 'object' &&
    value !== null &&
    methods.every((name) => typeof Reflect.get(value, name) === 'function')
  );
}

/** The journal begins with what the run goes on from, in the place of all lines so far. */
function openFrom(
  keeping: Keeping,
  from: Snapshot,
  ...[opening, refusal]: Parameters<StoreWriter['open']>
): OpenJournal {
  return (failed) => {
    const writer = createStoreWriter(keeping, failed);
    writer.open(opening, refusal);
    writer.write((run) => run.replace([checkpoint(from, keeping)]));
    return journalOf(writer, keeping);
  };
}

interface TakeUp<Result> {
  readonly goOn: (snapshot: Snapshot, openJournal: OpenJournal) => Result;
  /** Where it is over. */
  readonly endAs: (taken: Taken) => Result;
}

function takeUpStored<Result>(keeping: Keeping, plan: FoldPlan, { goOn, endAs }: TakeUp<Result>): Promise<Result> {
  const { store, runId, within, limitMs } = keeping;
  const stored = { runId, where: store.name };
  return new Promise((resolve, reject) => {
    const take = (held: HeldRun) => {
      let snapshot: Snapshot | null = null;
      try {
        const from = storedSnapshot(plan, held.lines, stored);
        snapshot = from;
        if (isOver(from)) return resolve(fromLines(stored, () => endAs({ keeping, held, snapshot: from })));
        const opening = () => held;
        resolve(
          goOn(
            from,
            openFrom(keeping, from, opening, () => null),
          ),
        );
      } catch (thrown) {
        // Behind the release, so that whoever hears of it finds the run free.
        leaveStored({ keeping, held, snapshot: isDamage(thrown) ? null : snapshot }, () => reject(thrown));
      }
    };
    const opened = (settled: Settled<HeldRun>) => {
      if (settled.kind !== 'value') return reject(problemOf(settled, keeping));
      if (!isHeldRun(settled.value)) return reject(noHold(keeping));
      take(settled.value);
    };
    within(limitMs, () => store.open(runId), opened, leaveLate);
  });
}

/** What is damaged is left as it is. */
function isDamage(thrown: unknown): boolean {
  return thrown instanceof AgentError && ['invalid_snapshot', 'invalid_journal'].includes(thrown.code);
}

/** Whether what is stored is the snapshot's own past: of the same life, and not beyond it. */
function isPastOf(snapshot: Snapshot, lines: readonly JournalLine[]): boolean {
  const lives = lines.map(lifeIn).filter((life) => life !== null);
  return (
    (lives.length === 0 || lives.at(-1) === (snapshot.life ?? '')) && !lines.some((line) => isBeyond(line, snapshot))
  );
}

function lifeIn(line: JournalLine): string | null {
  if (line.type === 'checkpoint') return line.snapshot.life ?? '';
  return line.type === 'run.started' || line.type === 'run.resumed' ? (line.life ?? '') : null;
}

/** `run.ended` stands behind the snapshot of a run that waits. */
function isBeyond(line: JournalLine, { sequence }: Snapshot): boolean {
  if (line.type === 'checkpoint') return line.snapshot.sequence > sequence;
  return line.sequence >= sequence && line.type !== 'run.ended';
}

/** So many lines are kept before the first checkpoint, and each time twice as many: all in all it stays linear. */
const linesAtFirst = 512;

function journalOf({ write, whenWritten, close }: StoreWriter, keeping: Keeping): RunJournal {
  let lines = 0;
  let most = linesAtFirst;
  return {
    add(line) {
      lines++;
      write((run) => run.append([line]));
    },
    atRest(snapshot) {
      if (lines < most) return;
      lines = 0;
      most *= 2;
      const line = checkpoint(snapshot(), keeping);
      write((run) => run.replace([line]));
    },
    whenDurable: whenWritten,
    end(last, left, then) {
      const kept = left === null ? null : checkpoint(left, keeping);
      write((run) => (kept === null ? run.append([last]) : run.replace([kept, last])));
      close(then);
    },
  };
}

function checkpoint(snapshot: Snapshot, { wallMs }: Keeping): JournalLine {
  return { type: 'checkpoint', format: journalFormat, wallMs: wallMs(), snapshot };
}

function hasGoneOn(runId: string, { name }: Store): AgentError {
  return new AgentError(
    'invalid_option',
    `What is stored of the run ${JSON.stringify(runId)} has gone another way than the snapshot.`,
    {
      hint: `agent.resume(runId) goes on with what is stored: ${name}.`,
    },
  );
}

function isStored(runId: string, { name }: Store): AgentError {
  return new AgentError('invalid_option', `A run ${JSON.stringify(runId)} is stored already: ${name}.`, {
    hint: 'Go on with it: agent.resume(runId). Or give the new run another runId.',
  });
}
