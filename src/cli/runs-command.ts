/** `fuseloop runs`: lists the runs that a store keeps, and deletes those that are not wanted any more. */
import type { Store, StoredRun } from '../core/store.ts';
import { prune } from '../stores/prune.ts';
import { type CommandIo, readerGoneCode } from './command-io.ts';
import { grouped } from './flag-table.ts';
import { fittedHelp } from './help.ts';
import { misuse } from './misuse.ts';
import { isStoreThere, openStore } from './open-store.ts';
import { oneLine } from './plain-text.ts';
import { type RunsFlags, readRunsFlags, runsHelpText } from './runs-flags.ts';
import { runLine, runsTable, shortIds, tally } from './runs-table.ts';
import { findStoredRun } from './stored-run.ts';
import { styleFor, wantsColour } from './style.ts';
import { spanText } from './words.ts';

/** At a terminal, where more would push the newest off the screen. */
const mostAtTerminal = 50;

/** Returns the exit code; throws AgentError for misuse, and for a store that cannot be read. */
export async function runsCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const flags = readRunsFlags(argv);
  if (flags === 'help') {
    io.stdout.write(fittedHelp(runsHelpText(), io.stdout));
    return 0;
  }
  const reader = { isGone: false };
  io.onOutputClosed(() => {
    reader.isGone = true;
  });
  const store = isStoreThere(flags.store) ? openStore(flags.store) : null;
  try {
    if (flags.delete.length > 0) await deleteNamed(store, flags, io);
    else if (flags.deleteEnded !== undefined) await deleteEnded(store, flags.deleteEnded, flags, io);
    else await list(store, flags, io);
  } finally {
    await store?.close();
  }
  return reader.isGone ? readerGoneCode : 0;
}

async function list(store: Store | null, flags: RunsFlags, { stdout, stderr }: CommandIo): Promise<void> {
  const all = (await store?.list()) ?? [];
  const found = flags.status.length === 0 ? all : all.filter(({ status }) => flags.status.includes(status));
  const isTable = stdout.isTTY === true && !flags.json;
  if (found.length === 0) (isTable ? stdout : stderr).write(nothingFound(flags, all.length, store !== null));
  else if (isTable) stdout.write(tableOf(found, all, flags, stdout.columns || 80));
  else {
    const shown = found.slice(0, flags.limit ?? found.length);
    stdout.write(shown.map((run) => (flags.json ? `${JSON.stringify(run)}\n` : runLine(run))).join(''));
  }
}

function nothingFound({ status, store }: RunsFlags, stored: number, isThere: boolean): string {
  const which = stored === 0 ? 'No runs are' : `No run that is ${status.join(' or ')} is`;
  return `${which} stored in ${oneLine(store)}${isThere ? '' : ', which is not there'}.\n`;
}

/** `all`: also those that were not asked for, as ids are shortened to what no other has. */
function tableOf(
  found: readonly StoredRun[],
  all: readonly StoredRun[],
  { limit = mostAtTerminal, store }: RunsFlags,
  columns: number,
): string {
  const shown = found.slice(0, limit);
  const style = styleFor(wantsColour({ isTerminal: true, variables: process.env }));
  const idOf = shortIds(all.map(({ runId }) => runId));
  const table = shown.length === 0 ? '' : runsTable(shown, { style, columns, nowMs: Date.now(), idOf });
  const count = (status: StoredRun['status']) => found.filter((run) => run.status === status).length;
  const counted = { suspended: count('suspended'), interrupted: count('interrupted') };
  return table + tally({ shown: shown.length, found: found.length, ...counted }, store);
}

/** All are found before the first one goes. */
async function deleteNamed(store: Store | null, flags: RunsFlags, { stdout }: CommandIo): Promise<void> {
  if (store === null)
    throw misuse(`There is no ${flags.store}, so no run is stored there.`, 'Name what run --store was given.');
  const named = new Set<string>();
  for (const name of flags.delete) named.add((await findStoredRun(store, name)).runId);
  for (const runId of named) {
    if (!(await store.delete(runId)))
      throw misuse(
        `The run ${JSON.stringify(runId)} could not be deleted: ${store.name} does not find it under this id.`,
        'Where its file cannot be read, remove the file itself.',
      );
    stdout.write(flags.json ? `${JSON.stringify({ deleted: runId })}\n` : `Deleted: ${oneLine(runId)}\n`);
  }
}

async function deleteEnded(store: Store | null, ageMs: number, { json }: RunsFlags, { stdout }: CommandIo) {
  const deleted = store === null ? 0 : await prune(store, { endedBeforeMs: Date.now() - ageMs });
  const runs = deleted === 1 ? 'run' : 'runs';
  stdout.write(
    json
      ? `${JSON.stringify({ deletedEnded: deleted })}\n`
      : `Deleted: ${grouped(deleted)} ${runs} that ended and did not change for ${spanText(ageMs)}.\n`,
  );
}
