/** `fuseloop verify`: explores the machine, and says whether every path ends, or draws the one that does not. */
import { setImmediate as turn } from 'node:timers/promises';
import { countBudgets, readBounds } from '../verify/budgets.ts';
import { certificate } from '../verify/certificate.ts';
import { type Exploration, exploring } from '../verify/explore.ts';
import { type CommandIo, readerGoneCode } from './command-io.ts';
import { grouped } from './flag-table.ts';
import { fittedHelp } from './help.ts';
import { loadMachine } from './load-machine.ts';
import { visible } from './plain-text.ts';
import { openStatusLine } from './status-line.ts';
import { styleFor, wantsColour } from './style.ts';
import { readVerifyFlags, verifyHelpText } from './verify-flags.ts';

/** Returns the exit code; throws AgentError for misuse. */
export async function verifyCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const flags = readVerifyFlags(argv);
  if (flags === 'help') {
    io.stdout.write(fittedHelp(verifyHelpText(), io.stdout));
    return 0;
  }
  const bounds = readBounds(flags.bounds);
  const machine = flags.machine === undefined ? {} : { machine: await loadMachine(flags.machine) };
  const stop = new AbortController();
  io.interrupts.onFirst(() => stop.abort());
  io.onOutputClosed(() => stop.abort());

  const exploration = await exploreAll(exploring({ ...machine, bounds }), countBudgets(bounds), stop.signal, io);
  if (stop.signal.aborted) {
    const { budgets, states, edges } = exploration;
    io.stderr.write(
      `Stopped after ${grouped(budgets)} budgets, ${grouped(states)} states and ${grouped(edges)} edges, which held.\n`,
    );
    return io.interrupts.exitCode() ?? readerGoneCode;
  }
  io.stdout.write(flags.json ? `${json(exploration)}\n` : report(exploration, io));
  return exploration.ok ? 0 : 1;
}

/** Gives everybody else a turn between the pieces. */
async function exploreAll(
  explorer: Generator<Exploration, Exploration>,
  of: number,
  signal: AbortSignal,
  io: CommandIo,
): Promise<Exploration> {
  const status = openStatusLine(io);
  for (;;) {
    const { done, value } = explorer.next();
    await turn();
    if (done === true || signal.aborted) {
      status.close();
      return value;
    }
    const { budgets, states, edges } = value;
    status.show(
      () => `budget ${grouped(budgets + 1)} of ${grouped(of)} · ${grouped(states)} states · ${grouped(edges)} edges`,
    );
  }
}

function report(exploration: Exploration, { stdout }: CommandIo): string {
  const style = styleFor(wantsColour({ isTerminal: stdout.isTTY === true, variables: process.env }));
  const [verdict = '', ...rest] = visible(certificate(exploration)).split('\n');
  return `${[style(exploration.ok ? 'good' : 'bad', verdict), ...rest].join('\n')}\n`;
}

function json({ entered, ...exploration }: Exploration): string {
  return JSON.stringify({ ...exploration, entered: Object.fromEntries(entered) }, null, 2);
}
