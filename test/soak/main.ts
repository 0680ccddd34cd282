/** `npm run soak`: many runs at once against servers of ours that fail, each held to what its script implies. */
import { setMaxListeners } from 'node:events';
import { parseArgs } from 'node:util';
import { type Hour, simulateHours } from './hours/hours.ts';
import { hourLine, hoursProblems, hoursReport } from './hours/report.ts';
import { type StoreKind, storeKinds } from './keeping.ts';
import { problemsOf, progressLine, reportOf } from './report.ts';
import { type Progress, soak } from './soak.ts';

const help = `Usage: npm run soak [-- options]

Many runs at once, through the real adapters, against servers on this machine. A share of the requests meets a fault. Each
run is drawn from the seed, with the outcome that follows from its script; what comes is compared with it.

  --seconds N   how long new runs begin (120)
  --runs N      how many go on at once (50)
  --seed N      a whole number; the same seed draws the same runs (a random one)
  --faults N    the share of requests that meet a fault, from 0 to 1 (0.05)
  --silence N   milliseconds that a model may say nothing (4000); above 10000 also those that the store may take
  --store KIND  runs are stored (file, sqlite, memory; file where no kind is given): some wait for a person, are aborted or
                reach a limit, and are taken up again by their ids through another agent; what ended is pruned
  --hours N     simulated instead, without a server: N hours of so many users (--runs), on the virtual clock and from the seed
                alone; processes die, people answer a day later, limits are raised, ended runs are pruned each night
  --help        this text

Ctrl-C ends it with the report so far. Exit code: 0 where all was as it should be, 1 where a run ended in another way, memory
or the store grew, or sockets, handles or locks were left, 2 for misuse.`;

/** Where no line can be redrawn, one is printed so often. */
const lineEveryMs = 10_000;

interface Given {
  readonly seconds: number;
  readonly runs: number;
  readonly seed: number;
  readonly faults: number;
  readonly silenceMs: number;
  readonly store: StoreKind | null;
  /** Null: real time. */
  readonly hours: number | null;
}

async function main(): Promise<number> {
  const given = readFlags();
  if (given === null) {
    console.log(help);
    return 0;
  }
  const interrupt = new AbortController();
  setMaxListeners(0, interrupt.signal); // every run listens to it
  const onInterrupt = () => interrupt.abort('interrupted');
  process.once('SIGINT', onInterrupt);
  if (given.hours !== null) return await simulated({ ...given, hours: given.hours }, interrupt.signal);
  const show = progressShown();
  const where = given.store === null ? '' : `, stored (${given.store})`;
  console.error(`${given.runs} runs at once for ${given.seconds} s, seed ${given.seed}${where}`);
  const soaked = await soak({ ...given, signal: interrupt.signal, onProgress: show.progress });
  process.off('SIGINT', onInterrupt);
  show.clear();
  console.log(reportOf(soaked, given));
  return problemsOf(soaked).length === 0 ? 0 : 1;
}

async function simulated(given: Given & { readonly hours: number }, signal: AbortSignal): Promise<number> {
  console.error(`${given.runs} users for ${given.hours} simulated hours, seed ${given.seed}`);
  const onHour = (hour: Hour) => console.error(hourLine(hour));
  const result = await simulateHours({ ...given, users: given.runs, signal, onHour });
  console.log(hoursReport(result, given));
  return hoursProblems(result).length === 0 ? 0 : 1;
}

function readFlags(): Given | null {
  const { values } = parseArgs({
    args: withKind(process.argv.slice(2)),
    options: {
      seconds: { type: 'string', default: '120' },
      runs: { type: 'string', default: '50' },
      seed: { type: 'string', default: `${Math.floor(Math.random() * 2 ** 31)}` },
      faults: { type: 'string', default: '0.05' },
      silence: { type: 'string', default: '4000' },
      store: { type: 'string' },
      hours: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  return {
    seconds: numberOf('seconds', values.seconds, { least: 0.1, most: 86_400 }),
    runs: numberOf('runs', values.runs, { least: 1, most: 1_000, whole: true }),
    seed: numberOf('seed', values.seed, { least: 0, most: 2 ** 32 - 1, whole: true }),
    faults: numberOf('faults', values.faults, { least: 0, most: 1 }),
    silenceMs: numberOf('silence', values.silence, { least: 1, most: 60_000, whole: true }),
    store: values.store === undefined ? null : kindOf(values.store),
    hours: values.hours === undefined ? null : numberOf('hours', values.hours, { least: 1, most: 1_000, whole: true }),
  };
}

/** `--store` alone is the first kind. */
function withKind(argv: readonly string[]): string[] {
  const isBare = (at: number) => argv[at] === '--store' && (argv[at + 1] ?? '--').startsWith('--');
  return argv.map((word, at) => (isBare(at) ? `--store=${storeKinds[0]}` : word));
}

function kindOf(text: string): StoreKind {
  const kind = storeKinds.find((one) => one === text);
  if (kind === undefined) throw new Error(`--store is ${text}. It is one of ${storeKinds.join(', ')}.`);
  return kind;
}

interface Allowed {
  readonly least: number;
  readonly most: number;
  readonly whole?: boolean;
}

function numberOf(name: string, text: string, { least, most, whole = false }: Allowed): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
  throw new Error(`--${name} is ${text}. It is a ${whole ? 'whole ' : ''}number from ${least} to ${most}.`);
}

/** One line that is redrawn on a terminal, and a line now and then elsewhere. */
function progressShown() {
  const { isTTY = false } = process.stderr;
  let shownMs = performance.now();
  return {
    progress(progress: Progress) {
      if (isTTY) return void process.stderr.write(`\r\u001b[2K${progressLine(progress)}`);
      if (performance.now() - shownMs < lineEveryMs) return;
      shownMs = performance.now();
      console.error(progressLine(progress));
    },
    clear: () => void (isTTY && process.stderr.write('\r\u001b[2K')),
  };
}

try {
  process.exitCode = await main();
} catch (thrown) {
  console.error(`${thrown instanceof Error ? thrown.message : String(thrown)} See --help.`);
  process.exitCode = 2;
}
