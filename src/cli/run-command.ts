/** `fuseloop run`: prepares, runs and watches, and says how it ended. */
import { Console } from 'node:console';
import { createAgent } from '../agent.ts';
import type { Outcome } from '../core/outcome.ts';
import { createRedactor, type Redactor } from '../core/redact.ts';
import type { Run } from '../run.ts';
import { createAskPerson } from './ask-person.ts';
import type { CommandIo } from './command-io.ts';
import { type RunFlags, readFlags } from './flags.ts';
import { fittedHelp, helpText } from './help.ts';
import type { Live } from './live-state.ts';
import { visible } from './plain-text.ts';
import { type Prepared, prepare } from './prepare.ts';
import { plainScreen, type Screen, terminalScreen } from './screen.ts';
import { type Style, styleFor, wantsColour } from './style.ts';
import { summary } from './summary.ts';
import { openTrace, type TraceFile } from './trace-file.ts';
import { packageVersion } from './version.ts';
import { watch } from './watch.ts';

/** Returns the exit code; throws AgentError for misuse. */
export async function runCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const flags = readFlags(argv);
  if (flags === 'help' || flags === 'version') {
    io.stdout.write(flags === 'help' ? fittedHelp(helpText(), io.stdout) : `${packageVersion()}\n`);
    return 0;
  }
  // What tools print must not get into the document.
  if (flags.json) globalThis.console = new Console(io.stderr, io.stderr);
  const prepared = await prepare(flags, io.stdin);
  const trace = flags.trace === undefined ? null : await openTrace(flags.trace);
  const view = openView(flags, io);
  try {
    const redactor = createRedactor(prepared.found.secrets);
    const played = await play(prepared, { flags, io, trace, view });
    const { live } = played;
    const outcome = printable(played.outcome, redactor);
    const lost = (await trace?.close()) ?? null;
    if (lost !== null) io.stderr.write(`fuseloop: the trace ${flags.trace} is not complete: ${lost}\n`);
    const { limits, answerShown } = live;
    view.screen.write(summary(outcome, { style: view.style, limits, answerShown, trace: flags.trace }));
    if (flags.json) io.stdout.write(`${JSON.stringify(outcome, null, 2)}\n`);
    const interrupted = outcome.stopReason === 'aborted' ? io.interrupts.exitCode() : null;
    return interrupted ?? exitCodeOf(outcome, lost === null);
  } finally {
    await prepared.found.close();
  }
}

/**
 * The loop leaves an answer as the model wrote it; here it is printed, and perhaps kept in a log. A snapshot stays as it is:
 * what waits in it is to run as it was written.
 */
function printable(outcome: Outcome, redactor: Redactor): Outcome {
  const shown: Outcome = redactor.value(JSON.parse(JSON.stringify(outcome)));
  return shown.ok || outcome.ok || outcome.snapshot === undefined ? shown : { ...shown, snapshot: outcome.snapshot };
}

function exitCodeOf({ ok, stopReason }: Outcome, isTraced: boolean): number {
  if (stopReason === 'suspended') return 3;
  return ok && isTraced ? 0 : 1;
}

interface View {
  readonly screen: Screen;
  readonly isTerminal: boolean;
  readonly style: Style;
  /** Whether the status is redrawn, so that steps need no line of their own. */
  readonly redraws: boolean;
}

/** With --json stdout is for the document: a person at a terminal sees the run on stderr, anybody else nothing. */
function openView({ json }: RunFlags, { stdout, stderr }: CommandIo): View {
  const stream = json ? stderr : stdout;
  const isTerminal = stream.isTTY === true;
  const style = styleFor(wantsColour({ isTerminal, variables: process.env }));
  const redraws = isTerminal && process.env.TERM !== 'dumb';
  if (json && !isTerminal) return { screen: plainScreen({ write: () => {} }), isTerminal, style, redraws };
  return { screen: redraws ? terminalScreen(stream, style) : plainScreen(stream), isTerminal, style, redraws };
}

interface Playing {
  readonly flags: RunFlags;
  readonly io: CommandIo;
  readonly trace: TraceFile | null;
  readonly view: View;
}

async function play(
  { task, model, tools, found }: Prepared,
  { flags, io, trace, view }: Playing,
): Promise<{ readonly outcome: Outcome; readonly live: Live }> {
  const { screen, style, redraws } = view;
  const agent = createAgent({
    model,
    tools,
    budget: flags.budget,
    redact: found.secrets,
    ...(flags.dialect === undefined ? {} : { dialect: flags.dialect }),
    ...(flags.language === undefined ? {} : { language: flags.language }),
    ...(flags.policy === undefined ? {} : { policy: flags.policy }),
    ...(trace === null ? {} : { onEvent: trace.write }),
  });
  announce(task, found.notice, { flags, io, view });
  const asks = screenToAskOn(io, view);
  const run = agent.start(task, { attended: asks !== null });
  stopOn(run, io);
  const person = asks === null ? null : createAskPerson({ stdin: io.stdin, screen: asks, showsRun: asks === screen });
  const live = await watch(run, {
    screen,
    style,
    stepLines: !redraws,
    onLook: (seen, event) => person?.look(run, seen, event),
  });
  return { outcome: await run.outcome, live };
}

/** Where a person sees a question, and can answer it; null where nobody does: what asks then suspends the run. */
function screenToAskOn({ stdin, stderr }: CommandIo, { isTerminal, screen }: View): Screen | null {
  if (stdin.isTTY !== true || stdin.readableEnded) return null;
  if (isTerminal) return screen;
  return stderr.isTTY === true ? plainScreen(stderr) : null;
}

/** Which model it is must be known wherever the run itself is not shown. */
function announce(task: string, notice: string, { flags, io, view }: Omit<Playing, 'trace'>): void {
  const { screen, style } = view;
  if (flags.json && io.stderr.isTTY !== true) io.stderr.write(`${notice}\n`);
  screen.write(`${style('dim', notice)}\n\n${style('title', 'Task:')} ${visible(task)}\n`);
}

/** Nobody reads any more, or somebody wants it to end. */
function stopOn(run: Run, { interrupts, onOutputClosed }: CommandIo): void {
  interrupts.onFirst((signal) => run.abort(`stopped by ${signal}`));
  onOutputClosed(() => run.abort('nobody reads the output any more'));
}
