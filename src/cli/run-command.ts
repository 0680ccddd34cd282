/** `fuseloop run`: prepares a new run, and has it conducted. */
import { Console } from 'node:console';
import { randomUUID } from 'node:crypto';
import { AgentError } from '../core/errors.ts';
import type { Store } from '../core/store.ts';
import type { CommandIo } from './command-io.ts';
import { conduct } from './conduct.ts';
import { type RunFlags, readFlags } from './flags.ts';
import { resumeCommand } from './going-on.ts';
import { fittedHelp, helpText } from './help.ts';
import { misuse } from './misuse.ts';
import { openStore } from './open-store.ts';
import { oneLine } from './plain-text.ts';
import { prepare } from './prepare.ts';
import { supervise } from './supervise.ts';
import { packageVersion } from './version.ts';

/** Returns the exit code; throws AgentError for misuse. */
export async function runCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const flags = readFlags(argv);
  if (flags === 'help' || flags === 'version') {
    io.stdout.write(flags === 'help' ? fittedHelp(helpText(), io.stdout) : `${packageVersion()}\n`);
    return 0;
  }
  const store = flags.store === undefined ? null : openStore(flags.store);
  const runId = flags.runId ?? randomUUID();
  if (store !== null) await checkFree(runId, store, flags);
  if (store !== null && flags.resumeOnCrash) return supervise({ argv, flags, runId, store, io });
  // What tools print must not get into the document.
  if (flags.json) globalThis.console = new Console(io.stderr, io.stderr);
  const prepared = await prepare(flags, io.stdin);
  try {
    return await conduct({
      ...{ prepared, flags, io, store },
      form: flags,
      about: store === null ? '' : `Run: ${oneLine(runId)}, kept in ${oneLine(flags.store ?? '')}`,
      goesOn: false,
      decisions: [],
      begin: (agent, attended) => agent.start(prepared.task, { attended, runId }),
    });
  } finally {
    await prepared.found.close();
  }
}

/** Before anything is asked or run: the id is free, and runs can be kept there. */
async function checkFree(runId: string, store: Store, flags: RunFlags): Promise<void> {
  const isTaken = flags.runId !== undefined && (await store.read(runId)) !== null;
  if (isTaken)
    throw misuse(
      `A run ${JSON.stringify(runId)} is stored already: ${store.name}.`,
      `Give the new one another --run-id; or go on with it: ${resumeCommand(runId, flags)}`,
    );
  try {
    await (await store.open(runId)).release();
  } catch (thrown) {
    if (!(thrown instanceof AgentError)) throw thrown;
    throw misuse(thrown.message, thrown.hint, thrown);
  }
}
