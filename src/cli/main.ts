#!/usr/bin/env node
/** The command line `fuseloop`: finds the command, and turns misuse into a message and exit code 2. */
import { AgentError } from '../core/errors.ts';
import { createRedactor } from '../core/redact.ts';
import { nearestName } from '../dispatch/nearest.ts';
import { type CommandIo, processIo } from './command-io.ts';
import { fittedHelp, helpText } from './help.ts';
import { watchInterrupts } from './interrupts.ts';
import { misuse } from './misuse.ts';
import { endWithSupervisor } from './supervised.ts';
import { packageVersion } from './version.ts';

/** Takes the words behind its name and gives the exit code. Misuse is thrown. */
type Command = (argv: readonly string[], io: CommandIo) => Promise<number>;

/** A new command is one line here. Loaded when it is called, so that help and version are quick. */
const commands: ReadonlyMap<string, Command> = new Map([
  ['run', async (argv, io) => (await import('./run-command.ts')).runCommand(argv, io)],
  ['runs', async (argv, io) => (await import('./runs-command.ts')).runsCommand(argv, io)],
  ['resume', async (argv, io) => (await import('./resume-command.ts')).resumeCommand(argv, io)],
  ['verify', async (argv, io) => (await import('./verify-command.ts')).verifyCommand(argv, io)],
  ['audit', async (argv, io) => (await import('./audit-command.ts')).auditCommand(argv, io)],
  ['report', async (argv, io) => (await import('./report-command.ts')).reportCommand(argv, io)],
  ['inspect', async (argv, io) => (await import('./inspect-command.ts')).inspectCommand(argv, io)],
  ['replay', async (argv, io) => (await import('./replay-command.ts')).replayCommand(argv, io)],
  ['diagram', async (argv, io) => (await import('./diagram-command.ts')).diagramCommand(argv, io)],
  ['fuzz', async (argv, io) => (await import('./fuzz-command.ts')).fuzzCommand(argv, io)],
]);

/** What a tool of the user left open (a timer, a connection) may keep the process for so long. */
const graceMs = 1_000;

const io = processIo(
  watchInterrupts((exitCode) => {
    io.stdout.write('\n');
    process.exit(exitCode);
  }),
);

async function main([name, ...argv]: readonly string[]): Promise<number> {
  if (name === undefined) {
    io.stderr.write(fittedHelp(helpText(), io.stderr));
    return 2;
  }
  if (['--help', '-h', 'help'].includes(name)) {
    io.stdout.write(fittedHelp(helpText(), io.stdout));
    return 0;
  }
  if (name === '--version') {
    io.stdout.write(`${packageVersion()}\n`);
    return 0;
  }
  const command = commands.get(name);
  if (command === undefined) throw unknownCommand(name);
  return command(argv, io);
}

function unknownCommand(name: string): Error {
  const names = [...commands.keys()];
  const nearest = nearestName(name, names);
  return misuse(
    `There is no command ${JSON.stringify(name)}.${nearest === null ? '' : ` Did you mean ${nearest}?`}`,
    `The commands are: ${names.join(', ')}. See fuseloop --help.`,
  );
}

function reported(thrown: unknown): number {
  const { text } = createRedactor([process.env.OPENAI_API_KEY ?? '', process.env.ANTHROPIC_API_KEY ?? '']);
  if (thrown instanceof AgentError) {
    io.stderr.write(text(`fuseloop: ${thrown.message}\n${thrown.hint}\n`));
    return 2;
  }
  io.stderr.write(text(`fuseloop: a defect: ${thrown instanceof Error ? thrown.stack : String(thrown)}\n`));
  return 1;
}

endWithSupervisor();
// Stands until a command has said otherwise: a process that ends in between has not succeeded.
process.exitCode = 1;
process.exitCode = await main(process.argv.slice(2)).catch(reported);
setTimeout(() => process.exit(), graceMs).unref();
