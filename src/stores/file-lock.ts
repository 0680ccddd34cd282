/**
 * Which process may write to a run. A hold is a file `NAME.lock-EPOCH` that names its owner; it is made whole, and only
 * where it is not there yet. The journal knows the highest epoch, so that the file can go when the run is let go.
 *
 * Why only one wins: whoever wants epoch N has seen all locks from the journal's epoch up to N - 1 dead or gone, makes N, and then
 * sees the journal unchanged. A lock that is dead is removed only while its epoch is not above the journal's, and a holder's own
 * only after it writes no more.
 */
import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject } from '../core/json.ts';
import { ifThere, readIfThere, removeIfThere, systemCode, writeNew } from './disk.ts';
import { standingOf } from './file-format.ts';
import type { RunFiles } from './file-name.ts';
import { beginHold, endHold, isLiving } from './holds.ts';
import { parsedJson } from './journal-line.ts';
import { type Holder, holderOf, isThere, ownerHere, readOwner } from './lock-owner.ts';
import { runHeld, shown } from './store-errors.ts';

export interface FileLock {
  readonly epoch: number;
  /** Throws AgentError (`run_held`) where somebody removed the lock, as is done when its owner is thought to be dead. */
  check(): Promise<void>;
  /** Removes the locks that earlier owners left when they died, up to the epoch of the journal. Only while that is there. */
  removePassed(): Promise<void>;
  /** Removes all that they left. Only after the epoch was written to the journal. */
  removeDead(): Promise<void>;
  /** Removes the lock. Only when nothing more is written. Where it cannot be removed it no longer counts in this thread. */
  remove(): Promise<void>;
}

export interface Taken {
  readonly lock: FileLock;
  /** The file of the run as it was when the lock was there already; null where there was none. */
  readonly bytes: Buffer | null;
}

/** Each turn that is lost, somebody else has won. */
const mostTurns = 50;

/** Throws AgentError: `run_held`, or `invalid_journal` where the file is none of this run. */
export async function takeLock(files: RunFiles): Promise<Taken> {
  for (let turn = 0; turn < mostTurns; turn++) {
    const before = standingOf(await readIfThere(files.journal), files.runId, files.journal);
    const ofJournal = before?.epoch ?? 0;
    const { epoch, dead } = await freeEpoch(files, ofJournal);
    const lock = await makeLock(files, epoch);
    if (lock === null) continue;
    try {
      const bytes = await readIfThere(files.journal);
      const after = standingOf(bytes, files.runId, files.journal);
      if (before?.epoch === after?.epoch && before?.stamp === after?.stamp)
        return { lock: { ...lock, epoch, ...removalsOf(files, dead, ofJournal) }, bytes };
    } catch (thrown) {
      await lock.remove().catch(() => {});
      throw thrown;
    }
    await lock.remove();
  }
  throw runHeld(`The run ${shown(files.runId)} is opened by others again and again.`, 'Try again when they are done.');
}

/** The first epoch above the journal's for which there is no lock, and the dead locks below it. */
async function freeEpoch(
  files: RunFiles,
  ofJournal: number,
): Promise<{ readonly epoch: number; readonly dead: string[] }> {
  const dead: string[] = [];
  for (let epoch = ofJournal; ; epoch++) {
    const path = files.lock(epoch);
    const text = await ifThere(readFile(path, 'utf8'));
    if (text === null && epoch > ofJournal) return { epoch, dead };
    if (text === null) continue;
    const holder = await holderIn(text);
    if (holder !== null) throw heldBy(files, holder, path);
    dead.push(path);
  }
}

function holderIn(text: string): Promise<Holder | null> {
  const value = parsedJson(text);
  return holderOf(readOwner(text), isJsonObject(value) && typeof value.hold === 'string' ? value.hold : null);
}

function heldBy({ runId }: RunFiles, { words, isSeen }: Holder, path: string) {
  const hint = isSeen
    ? 'Wait until it is done with the run, let the run go there, or end that process.'
    : `Whether it is alive cannot be told from here. If it is surely gone, remove the file ${path}.`;
  return runHeld(`The run ${shown(runId)} is held by ${words}.`, hint);
}

/** Null where somebody else was faster. */
async function makeLock(files: RunFiles, epoch: number): Promise<Pick<FileLock, 'check' | 'remove'> | null> {
  const path = files.lock(epoch);
  const hold = beginHold();
  let made: string | null = null;
  try {
    const owner = { type: 'lock', runId: files.runId, epoch, hold, ...(await ownerHere()) };
    if (await makeWhole(path, Buffer.from(`${JSON.stringify(owner)}\n`))) made = await identityOf(path);
  } finally {
    if (made === null) endHold(hold);
  }
  if (made === null) return null;
  return {
    async check() {
      if (!isLiving(hold) || (await identityOf(path)) !== made) throw lost(files, path);
    },
    async remove() {
      endHold(hold);
      if ((await identityOf(path)) === made) await removeIfThere(path);
    },
  };
}

function lost({ runId }: RunFiles, path: string) {
  return runHeld(
    `The run ${shown(runId)} is no longer held here: its lock ${path} was removed. Nothing more was written.`,
    'Whoever removed it may drive the run now. Open the run again to go on with what is stored.',
  );
}

/** Null where the file is not there. */
async function identityOf(path: string): Promise<string | null> {
  const found = await ifThere(stat(path, { bigint: true }));
  return found === null ? null : `${found.ino} ${found.mtimeNs}`;
}

/** A file that is there with all its bytes, or not at all. False where one of that name is there, or it has to be tried again. */
async function makeWhole(path: string, bytes: Buffer): Promise<boolean> {
  const draft = `${path}.${process.pid}-${randomUUID().slice(0, 8)}.tmp`;
  await writeNew(draft, 'wx', [bytes]);
  try {
    await link(draft, path);
    return true;
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === 'EEXIST' || code === 'ENOENT') return false; // ENOENT: somebody took the draft for a leftover.
    if (!noLinks.has(code)) throw thrown;
    return await makeInPlace(path, bytes);
  } finally {
    await removeIfThere(draft);
  }
}

/** What file systems say that have no second name of a file. */
const noLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/** Where its writer is killed half-way, the lock names nobody, and a person has to remove it. */
async function makeInPlace(path: string, bytes: Buffer): Promise<boolean> {
  try {
    await writeNew(path, 'wx', [bytes]);
    return true;
  } catch (thrown) {
    if (systemCode(thrown) === 'EEXIST') return false;
    throw thrown;
  }
}

/** `dead` are those that were seen; older ones were left where an owner died before it came to remove them. */
function removalsOf(
  files: RunFiles,
  dead: readonly string[],
  ofJournal: number,
): Pick<FileLock, 'removePassed' | 'removeDead'> {
  const removePassed = async () => {
    if (ofJournal > 0) await removeIfThere(files.lock(ofJournal));
    for (let epoch = ofJournal - 1; epoch > 0; epoch--) if (!(await removeIfThere(files.lock(epoch)))) return;
  };
  return {
    removePassed,
    async removeDead() {
      for (const path of dead) await removeIfThere(path);
      await removePassed();
    },
  };
}

/** Drafts of locks whose writers died. One that is taken from somebody alive elsewhere only makes that one try again. */
export async function removeDrafts(folder: string): Promise<void> {
  for (const file of await readdir(folder)) {
    const [, pid] = file.match(/\.lock-\d+\.(\d{1,10})-[0-9a-f]{8}\.tmp$/) ?? [];
    if (pid !== undefined && !isThere(Number(pid))) await removeIfThere(join(folder, file));
  }
}

/** Who holds a run, from the paths of its locks. */
export async function holderAmong(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    const text = await ifThere(readFile(path, 'utf8'));
    const holder = text === null ? null : await holderIn(text);
    if (holder !== null) return holder.words;
  }
  return null;
}
