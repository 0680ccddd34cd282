/** Runs one input in a child process on the real clock, and kills it where it does not end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Report } from './child.ts';
import type { Row } from './inputs/row.ts';

/** `hangs`: it was killed. `crashes`: the process ended, and the run had not. */
export type Fate = 'ends' | 'hangs' | 'crashes';

export interface Measured {
  readonly id: string;
  readonly fate: Fate;
  /** What the child said; null where the run did not end. */
  readonly report: Report | null;
  /** After the run the process ended by itself and well: nothing was left open, and no rejection unheard. */
  readonly exits: boolean;
  /** The last line that it wrote to stderr. */
  readonly complaint: string;
}

export interface MeasureOptions {
  readonly engine: string;
  /** From the sources instead of the built package. */
  readonly source: boolean;
  /** How long after its own limit a run is killed. */
  readonly graceMs: number;
  /** How long after the run its process may take to end. */
  readonly exitMs: number;
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** To load the probe and the engine, on a busy machine. */
const loadMs = 60_000;

export function measure(row: Row, options: MeasureOptions): Promise<Measured> {
  const child = start(row.id, options);
  let report: Report | null = null;
  let complaint = '';
  let killed = false;
  const kill = () => {
    killed = true;
    child.kill('SIGKILL');
  };
  let timer = setTimeout(kill, loadMs);
  const within = (limitMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(kill, limitMs);
  };
  onLines(child.stdout, (line) => {
    if (line === 'started') return within((row.limitMs ?? 0) + options.graceMs);
    report = reportIn(line);
    within(options.exitMs);
  });
  onLines(child.stderr, (line) => {
    if (/\w*Error\b/.test(line)) complaint = line.trim();
  });
  return new Promise((settle) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      const fate = report !== null ? 'ends' : killed ? 'hangs' : 'crashes';
      settle({ id: row.id, fate, report, exits: report !== null && code === 0, complaint });
    });
  });
}

/** With a TypeScript configuration that has no `paths`, `fuseloop` is what the package exports: the built files. */
function start(id: string, { engine, source }: MeasureOptions): ChildProcess {
  const config = source ? here('../../tsconfig.json') : here('tsconfig.built.json');
  return spawn(process.execPath, ['--import', import.meta.resolve('tsx'), here('child.ts'), engine, id], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TSX_TSCONFIG_PATH: config },
  });
}

function onLines(stream: NodeJS.ReadableStream | null, take: (line: string) => void): void {
  let rest = '';
  stream?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}

function reportIn(line: string): Report {
  const report: Report = JSON.parse(line);
  return report;
}
