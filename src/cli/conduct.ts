/** Conducts one run on the command line, new or gone on with: shows it, has it decided about, and says how it ended. */
import { type Agent, createAgent } from '../agent.ts';
import { AgentError } from '../core/errors.ts';
import type { Language } from '../core/language.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Policy } from '../core/policy.ts';
import { createRedactor, type Redactor } from '../core/redact.ts';
import type { Store } from '../core/store.ts';
import type { Run } from '../run.ts';
import { createAskPerson, loginName } from './ask-person.ts';
import type { CommandIo } from './command-io.ts';
import { decidingRun } from './deciding-run.ts';
import type { Decision } from './decisions.ts';
import type { AgentFlags } from './flags.ts';
import { nextLines } from './going-on.ts';
import { type Inspecting, openInspecting } from './inspecting.ts';
import { type Live, notLive } from './live-state.ts';
import { visible } from './plain-text.ts';
import type { Prepared } from './prepare.ts';
import { summary } from './summary.ts';
import { openTrace, type TraceFile } from './trace-file.ts';
import { openView, screenToAskOn, type View } from './view.ts';
import { watch } from './watch.ts';

export interface Conducted {
  readonly prepared: Prepared;
  readonly flags: AgentFlags;
  readonly io: CommandIo;
  readonly store: Store | null;
  /** Those of the flags, or of a run that goes on. */
  readonly form: {
    readonly dialect: string | undefined;
    readonly language: Language | undefined;
    readonly policy: Policy | undefined;
  };
  /** Told below the task, such as where the run is stored; empty for nothing. */
  readonly about: string;
  readonly goesOn: boolean;
  /** Decisions that were made beforehand: with any, nobody is asked. */
  readonly decisions: readonly Decision[];
  readonly begin: (agent: Agent, attended: boolean) => Run | Promise<Run>;
}

/** Returns the exit code; throws AgentError where the run does not begin. */
export async function conduct(conducted: Conducted): Promise<number> {
  const inspecting = conducted.flags.inspect ? await openInspecting(conducted.io) : null;
  try {
    const code = await conductShown(conducted, inspecting);
    await inspecting?.stay();
    return code;
  } finally {
    await inspecting?.close();
  }
}

async function conductShown(conducted: Conducted, inspecting: Inspecting | null): Promise<number> {
  const { prepared, flags, io, store, goesOn } = conducted;
  const view = openView(flags, io);
  const redactor = createRedactor(prepared.found.secrets);
  const trace = flags.trace === undefined ? null : await openTrace(flags.trace, { goesOn });
  const played = await play(conducted, { trace, view, inspecting }).catch(async (thrown: unknown) => {
    await trace?.close();
    throw thrown;
  });
  const lost = (await trace?.close()) ?? null;
  const { live } = played;
  const outcome = printable(played.outcome, redactor);
  if (lost !== null) io.stderr.write(`fuseloop: the trace ${flags.trace} is not complete: ${lost}\n`);
  const { storeError } = outcome;
  if (storeError !== undefined)
    io.stderr.write(`fuseloop: the end of the run is not stored: ${visible(storeError.message)}\n${storeError.hint}\n`);
  const { limits, answerShown } = live;
  const next = store === null || outcome.ok ? null : nextLines(outcome, flags);
  view.screen.write(summary(outcome, { style: view.style, limits, answerShown, trace: flags.trace, next }));
  if (flags.json) io.stdout.write(`${JSON.stringify(outcome, null, 2)}\n`);
  if (flags.json && io.stderr.isTTY !== true && next !== null) io.stderr.write(`${next.join('\n')}\n`);
  const interrupted = outcome.stopReason === 'aborted' ? io.interrupts.exitCode() : null;
  return interrupted ?? exitCodeOf(outcome, lost === null && storeError === undefined);
}

/**
 * The loop leaves an answer as the model wrote it; here it is printed, and perhaps kept in a log. A snapshot stays as it is:
 * what waits in it is to run as it was written.
 */
function printable(outcome: Outcome, redactor: Redactor): Outcome {
  const shown: Outcome = redactor.value(JSON.parse(JSON.stringify(outcome)));
  return shown.ok || outcome.ok || outcome.snapshot === undefined ? shown : { ...shown, snapshot: outcome.snapshot };
}

function exitCodeOf({ ok, stopReason }: Outcome, isKept: boolean): number {
  if (stopReason === 'suspended') return 3;
  return ok && isKept ? 0 : 1;
}

/** Where the run is shown. */
interface Shown {
  readonly trace: TraceFile | null;
  readonly view: View;
  readonly inspecting: Inspecting | null;
}

async function play(
  conducted: Conducted,
  { trace, view, inspecting }: Shown,
): Promise<{ readonly outcome: Outcome; readonly live: Live }> {
  const { flags, io, decisions, form, goesOn } = conducted;
  const { screen, style, redraws } = view;
  const agent = agentOf(conducted, trace);
  const asks = decisions.length > 0 || flags.unattended ? null : screenToAskOn(io, view);
  const isDecidable = inspecting !== null && decisions.length === 0 && !flags.unattended;
  const run = await conducted.begin(agent, asks !== null || decisions.length > 0 || isDecidable);
  inspecting?.watch(run, isDecidable);
  announce(conducted, view);
  stopOn(run, io);
  const decides = decisions.length > 0 ? decidingRun(run, decisions, loginName()) : null;
  const person = asks === null ? null : createAskPerson({ stdin: io.stdin, screen: asks, showsRun: asks === screen });
  const live = await watch(run, {
    screen,
    style,
    stepLines: !redraws,
    from: goesOn ? liveOf(run, form.dialect) : notLive,
    onLook: (seen, event) => {
      decides?.look(event);
      person?.look(run, seen, event);
    },
  });
  return { outcome: await run.outcome, live };
}

function agentOf({ prepared: { model, tools, found }, flags, form, store }: Conducted, trace: TraceFile | null): Agent {
  const { dialect, language, policy } = form;
  return createAgent({
    model,
    tools,
    budget: flags.budget,
    redact: found.secrets,
    ...(dialect === undefined ? {} : { dialect }),
    ...(language === undefined ? {} : { language }),
    ...(policy === undefined ? {} : { policy }),
    ...(store === null ? {} : { store }),
    ...(trace === null ? {} : { onEvent: trace.write }),
  });
}

/** Of a run that goes on, what its first event does not tell. */
function liveOf(run: Run, dialect: string | undefined): Live {
  const { totalTokens: tokens } = run.usage();
  const form = { labels: (dialect ?? 'labelled') === 'labelled', native: dialect === 'native' };
  const live: Live = { ...notLive, ...form, tokens, spent: tokens };
  try {
    const { atMs, context } = run.snapshot();
    return { ...live, atMs, step: context.step, untilMs: context.approvalUntilMs };
  } catch (thrown) {
    if (!(thrown instanceof AgentError)) throw thrown;
    return live; // it has ended already
  }
}

/** Which model it is must be known wherever the run itself is not shown. */
function announce({ prepared, flags, io, about }: Conducted, { screen, style }: View): void {
  const { notice } = prepared.found;
  if (flags.json && io.stderr.isTTY !== true)
    io.stderr.write([notice, about].flatMap((line) => (line === '' ? [] : `${line}\n`)).join(''));
  const below = about === '' ? '' : `${style('dim', about)}\n`;
  screen.write(`${style('dim', notice)}\n\n${style('title', 'Task:')} ${visible(prepared.task)}\n${below}`);
}

/** Nobody reads any more, or somebody wants it to end. */
function stopOn(run: Run, { interrupts, onOutputClosed }: CommandIo): void {
  interrupts.onFirst((signal) => run.abort(`stopped by ${signal}`));
  onOutputClosed(() => run.abort('nobody reads the output any more'));
}
