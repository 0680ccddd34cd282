/** A store around another one, which keeps large or secret contents of lines elsewhere: in files, or where the user says. */
import { AgentError } from '../core/errors.ts';
import { messageOf } from '../core/message-of.ts';
import type { JournalLine, Store, StoredRun } from '../core/store.ts';
import { fullLine, type LeanLine, leanLine, sha256Of } from './apart.ts';
import { type Blobs, blobsFailed } from './blobs.ts';
import { createHolds } from './holds.ts';
import { checkedJournal } from './read-journal.ts';
import { spillingHold } from './spill-hold.ts';
import { invalidJournal, shown } from './store-errors.ts';
import { listed, restOf } from './summary.ts';

export interface SpillOptions {
  /** Contents whose JSON is longer are kept apart; bytes of UTF-8. Default 10,000; with 0 all contents are. */
  readonly overBytes?: number;
}

/**
 * Contents are what models, tools and people wrote: tasks, messages, thoughts, texts, inputs, outputs, observations,
 * answers, hints, reasons, and what inputs are compared by. Names of tools and of people, ids, numbers and states stay.
 *
 * They are stored durably before the line that refers to them. A run is opened and read with all of them again; it rejects
 * with AgentError (`invalid_journal`) where one is missing or was changed. A list shows of a task what is not apart.
 */
export function spilled(store: Store, blobs: Blobs, { overBytes = 10_000 }: SpillOptions = {}): Store {
  if (!Number.isSafeInteger(overBytes) || overBytes < 0)
    throw new AgentError('invalid_option', `overBytes of spilled is ${String(overBytes)}.`, {
      hint: 'Give a number of bytes: a whole number from 0.',
    });
  const holds = createHolds();
  const spill = (line: JournalLine) => leanLine(line, overBytes);
  const from = (runId: string): From => ({ runId, store: store.name, blobs });

  return {
    name: `${store.name} with contents apart`,
    open: (runId) =>
      holds.take(async () => {
        const { lines, epoch, ...inner } = await store.open(runId);
        try {
          const filled = await fullLines(lines, from(runId));
          return { ...spillingHold({ runId, inner, blobs, spill }), epoch, lines: filled };
        } catch (thrown) {
          await inner.release().catch(() => {});
          throw thrown;
        }
      }),
    read: (runId) => readFull(store, from(runId)),
    async list(filter) {
      const runs = await Promise.all(
        (await store.list(filter)).map((run) => waitingRun(store, run, () => readFull(store, from(run.runId)))),
      );
      return listed(
        runs.flatMap((run) => run ?? []),
        filter,
      );
    },
    async delete(runId) {
      const isRemoved = await store.delete(runId);
      await sweepDeleted(store, runId, blobs);
      return isRemoved;
    },
    async close() {
      await holds.close().finally(() => store.close());
    },
  };
}

/** Whoever is to decide about a call must see its input. Null where the run has gone since it was listed. */
async function waitingRun(
  store: Store,
  run: StoredRun,
  readIt: () => Promise<readonly JournalLine[] | null>,
): Promise<StoredRun | null> {
  if (run.waiting.length === 0) return run;
  try {
    const last = (await readIt())?.at(-1);
    const rest = last === undefined ? null : restOf(last);
    if (rest?.status === 'suspended') return { ...run, waiting: rest.waiting };
  } catch (thrown) {
    return { ...run, status: 'unreadable', waiting: [], problem: messageOf(thrown) };
  }
  // Somebody went on with it.
  return (await store.list()).find(({ runId }) => runId === run.runId) ?? null;
}

/**
 * A checkpoint of whoever holds the run may remove contents while lines that refer to them are read. So they are read again;
 * what the lines still refer to when it is missed for the second time is missing.
 */
async function readFull(store: Store, from: From): Promise<readonly JournalLine[] | null> {
  const missed = new Set<string>();
  for (;;) {
    const lines = await store.read(from.runId);
    if (lines === null) return null;
    try {
      return await fullLines(lines, { ...from, missed });
    } catch (thrown) {
      if (thrown !== readAgain) throw thrown;
    }
  }
}

const readAgain = Symbol('lines are to be read again');

/** Only while nobody writes to a new run of the same id; otherwise that one removes them. */
async function sweepDeleted(store: Store, runId: string, blobs: Blobs): Promise<void> {
  if (blobs.keep === undefined) return;
  try {
    const hold = await store.open(runId);
    try {
      if (hold.lines.length === 0) await blobs.keep(runId, []);
    } finally {
      await hold.release();
    }
  } catch {}
}

/** How many contents are read at once. */
const mostAtOnce = 8;

async function fullLines(lines: readonly LeanLine[], from: From): Promise<readonly JournalLine[]> {
  if (lines.every(({ apart }) => apart === undefined)) return lines;
  const filled: unknown[] = [];
  const left = lines.entries();
  const work = async () => {
    for (const [index, line] of left) filled[index] = await filledLine(line, index, from);
  };
  await Promise.all(Array.from({ length: mostAtOnce }, work));
  return checkedJournal(filled, from);
}

interface From {
  readonly runId: string;
  readonly store: string;
  readonly blobs: Blobs;
  /** Digests of contents that were missing before; the first time is thrown as `readAgain`. */
  readonly missed?: Set<string>;
}

async function filledLine(line: LeanLine, index: number, { runId, store, blobs, missed }: From): Promise<unknown> {
  const { apart } = line;
  if (apart === undefined) return line;
  const broken = (problem: string) =>
    invalidJournal(
      `The contents ${apart.sha256} of line ${index + 1} of the run ${shown(runId)} in ${store} ${problem}. Nothing was changed.`,
      'Put them back from a copy, or delete the run from the store.',
    );
  const text = await gotten(blobs, runId, apart.sha256);
  if (text === null && missed?.has(apart.sha256) === false) {
    missed.add(apart.sha256);
    throw readAgain;
  }
  if (text === null) throw broken('are missing');
  if (sha256Of(text) !== apart.sha256) throw broken('were changed');
  const full = fullLine(line, apart, text);
  if (full === null) throw broken('do not fit the line');
  return full;
}

async function gotten(blobs: Blobs, runId: string, sha256: string): Promise<string | null> {
  try {
    const text: unknown = await blobs.get(runId, sha256);
    return typeof text === 'string' ? text : null;
  } catch (thrown) {
    throw blobsFailed('read', thrown);
  }
}
