/** `fuseloop resume`: takes up a stored run, with decisions about what waits, and has it conducted. */
import { Console } from 'node:console';
import { mayGoOn } from '../../machines/reopen.ts';
import type { Agent } from '../agent.ts';
import { AgentError } from '../core/errors.ts';
import type { Store, StoredRun } from '../core/store.ts';
import type { Run } from '../run.ts';
import type { CommandIo } from './command-io.ts';
import { conduct } from './conduct.ts';
import { checkWaiting } from './decisions.ts';
import { demoOf as demoWithTask, isScripted } from './demos/demos.ts';
import { budgetFlags } from './flags.ts';
import { decisionCommands } from './going-on.ts';
import { fittedHelp } from './help.ts';
import { misuse } from './misuse.ts';
import { isStoreThere, openStore } from './open-store.ts';
import { oneLine, shortened, visible } from './plain-text.ts';
import { type Prepared, prepare } from './prepare.ts';
import { type ResumeFlags, readResumeFlags, resumeHelpText } from './resume-flags.ts';
import { factsOf, findStoredRun, type StoredFacts } from './stored-run.ts';
import { openView, screenToAskOn } from './view.ts';
import { writtenIn } from './written-in.ts';

/** Returns the exit code; throws AgentError for misuse, and then nothing was changed. */
export async function resumeCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const flags = readResumeFlags(argv);
  if (flags === 'help') {
    io.stdout.write(fittedHelp(resumeHelpText(), io.stdout));
    return 0;
  }
  if (!isStoreThere(flags.store))
    throw misuse(`There is no ${flags.store}, so no run is stored there.`, 'Name what run --store was given.');
  const store = openStore(flags.store);
  const run = await findStoredRun(store, flags.run);
  const facts = await readFacts(store, run);
  if (run.status !== 'running') checkWaiting(flags.decisions, facts.waiting, run.runId);
  if (facts.waiting.length > 0 && flags.decisions.length === 0 && isNobodyAsked(flags, io))
    return tellWhatWaits(run, facts, flags, io);
  if (flags.json) globalThis.console = new Console(io.stderr, io.stderr);
  const prepared = await prepare({ ...flags, task: taskOf(facts, flags) }, io.stdin);
  try {
    if (!isOver(run)) checkTools(prepared, facts, flags);
    return await conduct({
      ...{ prepared, flags, io, store },
      form: formOf(facts, flags),
      about: `Run: ${oneLine(run.runId)}, kept in ${oneLine(flags.store)}, ${isOver(run) ? 'is over' : 'goes on'}`,
      goesOn: true,
      decisions: flags.decisions,
      begin: (agent, attended) => takeUp(agent, run.runId, { budget: flags.budget, attended }),
    });
  } finally {
    await prepared.found.close();
  }
}

/** Then its outcome is told again, and nothing runs. Where only the last line of its end is missing, the list does not know. */
function isOver({ stopReason }: StoredRun): boolean {
  return stopReason !== null && !mayGoOn(stopReason);
}

async function readFacts(store: Store, { runId, status, problem }: StoredRun): Promise<StoredFacts> {
  const lines = await store.read(runId);
  if (lines !== null && lines.length > 0) return factsOf(lines);
  throw misuse(
    `The run ${JSON.stringify(runId)} cannot be read (${status})${problem === null ? '.' : `: ${problem}`}`,
    'It is left as it is. fuseloop runs tells of all runs.',
  );
}

function isNobodyAsked(flags: ResumeFlags, io: CommandIo): boolean {
  return flags.unattended || (!flags.inspect && screenToAskOn(io, openView(flags, io)) === null);
}

/** Nothing is taken hold of, and nothing changes. */
function tellWhatWaits({ runId }: StoredRun, { waiting }: StoredFacts, flags: ResumeFlags, io: CommandIo): number {
  const commands = decisionCommands(runId, flags, waiting);
  const calls = waiting.map(({ callId, tool, input }) => ({ toolCallId: callId, tool, input }));
  if (flags.json) {
    io.stdout.write(`${JSON.stringify({ runId, status: 'suspended', waiting: calls }, null, 2)}\n`);
    io.stderr.write(`${commands.join('\n')}\n`);
    return 3;
  }
  const rows = waiting.map(({ callId, tool, input }) =>
    shortened(`  ${callId} ${visible(tool)} ${visible(JSON.stringify(input))}`, { lines: 6, characters: 600 }),
  );
  io.stdout.write(
    `The run ${oneLine(runId)} waits for a person, and nobody is there to ask:\n${rows.join('\n')}\n\n` +
      `Decide, and it goes on:\n${commands.map((command) => `  ${command}`).join('\n')}\n`,
  );
  return 3;
}

/** A demonstration comes with its tools, also where the task is all that is known of it. */
function taskOf(
  { task, tools }: StoredFacts,
  { demo, tools: file }: ResumeFlags,
): Parameters<typeof prepare>[0]['task'] {
  if (demo !== undefined && demo.task !== task)
    throw misuse(
      `--demo ${demo.name} has another task than the run: ${shortened(oneLine(task), { lines: 1, characters: 200 })}`,
      'Leave --demo out: a run of a demonstration is known by its task.',
    );
  const known = demo ?? demoWithTask(task);
  const isDemo = known !== undefined && file === undefined && tools.every((name) => Object.hasOwn(known.tools, name));
  return isDemo ? known : { from: 'argument', text: task };
}

/** With --tools only those that are needed now must be there: others may have been dropped on purpose. */
function checkTools({ tools, model, task }: Prepared, facts: StoredFacts, flags: ResumeFlags): void {
  const needed = flags.tools === undefined ? facts.tools : facts.waiting.map(({ tool }) => tool);
  const missing = needed.find((name) => !Object.hasOwn(tools, name));
  if (missing !== undefined)
    throw misuse(
      `The run has the tool ${JSON.stringify(missing)}, and ${flags.tools ?? 'without --tools'} there is none of that name.`,
      `Give --tools FILE as it was given to run. Its tools are: ${facts.tools.map(oneLine).join(', ')}. Nothing was changed.`,
    );
  if (model.provider === 'scripted' && !isScripted(task))
    throw misuse(
      'No model is configured, and the scripted one does not know this task.',
      'Give --model as it was given to run, or set OPENAI_API_KEY, or start Ollama. Nothing was changed.',
    );
}

/** What the run tells of itself stands; a flag that says otherwise is misuse. */
function formOf({ system, dialect, policy }: StoredFacts, flags: ResumeFlags) {
  const written = system === null ? null : writtenIn(system);
  return {
    dialect: asWritten('dialect', flags.dialect, dialect ?? written?.dialect),
    language: asWritten('language', flags.language, written?.language),
    policy: flags.policy ?? policy ?? undefined,
  };
}

function asWritten<Word extends string>(
  flag: string,
  given: Word | undefined,
  known: Word | undefined,
): Word | undefined {
  if (given !== undefined && known !== undefined && known !== given)
    throw misuse(
      `--${flag} is ${given}, and the run is written in ${known}.`,
      `Leave --${flag} out, or give --${flag} ${known}. Nothing was changed.`,
    );
  return known ?? given;
}

async function takeUp(agent: Agent, runId: string, options: Parameters<Agent['resume']>[1]): Promise<Run> {
  try {
    return await agent.resume(runId, options);
  } catch (thrown) {
    throw thrown instanceof AgentError ? (inFlags(thrown) ?? thrown) : thrown;
  }
}

/** A budget that does not suffice, in the words of the command line; null for anything else. */
function inFlags({ message, hint }: AgentError): AgentError | null {
  const [, limit, value = '', had = ''] = /^budget\.(\w+) is (\d+), and (the run .*)$/.exec(message) ?? [];
  const least = /(\d+)(?: \} \})? or more/.exec(hint)?.[1];
  const known = budgetFlags.find((one) => one.limit === limit);
  if (known === undefined || least === undefined) return null;
  const isTime = known.limit === 'wallClockMs';
  const shown = (count: string) => (isTime ? String(Number(count) / 1_000) : count);
  return misuse(
    `--${known.flag} is ${shown(value)}, and ${had}`,
    `It goes on with more: --${known.flag} ${shown(least)} at least, and better twice as much. Nothing was changed.`,
  );
}
