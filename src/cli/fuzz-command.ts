/** `fuseloop fuzz`: tries random examples, and says what broke and how to see it again. */
import { Console } from 'node:console';
import { type FuzzFailure, type FuzzOptions, type FuzzProgress, type FuzzResult, fuzz } from '../verify/fuzz.ts';
import { type CommandIo, readerGoneCode } from './command-io.ts';
import { grouped } from './flag-table.ts';
import { type FuzzFlags, fuzzHelpText, readFuzzFlags } from './fuzz-flags.ts';
import { fittedHelp } from './help.ts';
import { loadDialect } from './load-dialect.ts';
import { loadMachine } from './load-machine.ts';
import { loadTools } from './load-tools.ts';
import { visible } from './plain-text.ts';
import { openStatusLine } from './status-line.ts';
import { type Style, styleFor, wantsColour } from './style.ts';

/** Returns the exit code; throws AgentError for misuse, and where fast-check is not installed. */
export async function fuzzCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const flags = readFuzzFlags(argv);
  if (flags === 'help') {
    io.stdout.write(fittedHelp(fuzzHelpText(), io.stdout));
    return 0;
  }
  // What tools print must not get into the document.
  if (flags.json) globalThis.console = new Console(io.stderr, io.stderr);
  const stop = new AbortController();
  io.interrupts.onFirst(() => stop.abort());
  io.onOutputClosed(() => stop.abort());
  const options = await optionsOf(flags);
  const status = openStatusLine(io);
  const onProgress = (progress: FuzzProgress) => status.show(() => standing(progress));
  const result = withFiles(await fuzz({ ...options, signal: stop.signal, onProgress }), flags);
  status.close();
  const style = styleFor(wantsColour({ isTerminal: io.stdout.isTTY === true, variables: process.env }));
  io.stdout.write(flags.json ? `${JSON.stringify(result, null, 2)}\n` : report(result, style));
  if (result.failure !== null) return 1;
  if (result.interrupted) return io.interrupts.exitCode() ?? readerGoneCode;
  return 0;
}

async function optionsOf({ target, seed, runs, path, tools, dialect, machine }: FuzzFlags): Promise<FuzzOptions> {
  return {
    target,
    ...(seed === undefined ? {} : { seed }),
    ...(runs === undefined ? {} : { runs }),
    ...(path === undefined ? {} : { path }),
    ...(dialect === undefined ? {} : { dialect: await loadDialect(dialect) }),
    ...(tools === undefined ? {} : { tools: await loadTools(tools) }),
    ...(machine === undefined ? {} : { machine: await loadMachine(machine) }),
  };
}

/** The command that replays names the user's files too. */
function withFiles(result: FuzzResult, { tools, dialect, machine }: FuzzFlags): FuzzResult {
  if (result.failure === null) return result;
  const files = Object.entries({ tools, dialect, machine }).map(([name, value]) =>
    value === undefined ? '' : ` --${name} ${quoted(value)}`,
  );
  return { ...result, failure: { ...result.failure, replay: result.failure.replay + files.join('') } };
}

/** For a shell. */
function quoted(value: string): string {
  return /^[\w./@:+-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

function standing({ target, runs, of, shrinking }: FuzzProgress): string {
  return `${target} ${grouped(runs)}/${grouped(of)}${shrinking ? ' · something broke, and is made small' : ''}`;
}

function report(result: FuzzResult, style: Style): string {
  const rows = result.targets.map(({ target, runs, ok }) => {
    const stopped = result.interrupted && target === result.targets.at(-1)?.target;
    const verdict = ok ? (stopped ? style('warning', 'stopped') : style('good', 'held')) : style('bad', 'broke');
    return `${target.padEnd(10)} ${grouped(runs).padStart(9)} examples  ${verdict}\n`;
  });
  const seed = `seed ${result.seed}`;
  if (result.failure !== null) return `${rows.join('')}\n${told(result.failure, style)}`;
  if (result.interrupted)
    return `${rows.join('')}\nStopped after ${grouped(result.runs)} examples, which held (${seed}).\n`;
  return `${rows.join('')}\nAll held (${seed}).\n`;
}

function told({ target, message, example, replay, shrinks }: FuzzFailure, style: Style): string {
  return [
    `${style('bad', 'What broke')} in ${target}`,
    indented(message),
    '',
    `${style('title', 'Example')}, made smaller ${shrinks} ${shrinks === 1 ? 'time' : 'times'}`,
    indented(example),
    '',
    style('title', 'To see it again'),
    indented(replay),
    '',
  ].join('\n');
}

function indented(text: string): string {
  return visible(text).replaceAll(/^/gm, '  ');
}
