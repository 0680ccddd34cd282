/** `npm run test:crash`: a run of twelve steps is killed at every line of its journal and in every tool, and goes on. */
import { parseArgs } from 'node:util';
import { messageOf } from '../../src/core/message-of.ts';
import { bundleOf } from './bundle.ts';
import type { StoreKind } from './child.ts';
import { problemsOf } from './judge.ts';
import { describe, type Result, tryAll } from './matrix.ts';
import { type Played, play, type Trial } from './play.ts';
import { outsidePoints, pointsOf, seeded, twicePoints } from './trials.ts';

const help = `Usage: npm run test:crash [-- options]

A real process runs an agent whose runs are kept in a store, and dies with SIGKILL: before, while and as soon as each line of
the journal is written, and in each tool before and behind its effect. Another process takes the run up by its id and brings
it to the end. Compared with a run that nobody killed: no effect twice, none that is not told, the same answer, steps and
conversation, and budgets that go on. Some runs are killed twice, and some at moments that nobody chose.

  --store NAME   file or sqlite (both)
  --at N         that one alone, by its number
  --twice N      runs that are killed twice, for each store (60)
  --outside N    runs that are killed from outside, for each store (50)
  --seed N       of what is drawn (7)
  --help         this text

Ctrl-C ends it with the count so far. Exit code: 0 where all passed, 1 where one failed or it was ended, 2 for misuse. About
five minutes on two cores.`;

const allKinds: readonly StoreKind[] = ['file', 'sqlite'];

interface Given {
  readonly kinds: readonly StoreKind[];
  /** From 1; null: all. */
  readonly only: number | null;
  readonly twice: number;
  readonly outside: number;
  readonly seed: number;
}

function readFlags(): Given | null {
  const { values } = parseArgs({
    options: {
      store: { type: 'string' },
      at: { type: 'string' },
      twice: { type: 'string', default: '60' },
      outside: { type: 'string', default: '50' },
      seed: { type: 'string', default: '7' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  const kinds = values.store === undefined ? allKinds : allKinds.filter((kind) => kind === values.store);
  if (kinds.length === 0) throw new Error(`--store is ${values.store}. It is file or sqlite.`);
  return {
    kinds,
    only: values.at === undefined ? null : wholeNumber('at', values.at, 1),
    twice: wholeNumber('twice', values.twice, 0),
    outside: wholeNumber('outside', values.outside, 0),
    seed: wholeNumber('seed', values.seed, 0),
  };
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new Error(`--${name} is ${text}. It is a whole number from ${least}.`);
}

async function main(): Promise<number> {
  const given = readFlags();
  if (given === null) {
    console.log(help);
    return 0;
  }
  const interrupt = new AbortController();
  const onInterrupt = () => interrupt.abort(new Error('It was ended.'));
  process.once('SIGINT', onInterrupt);
  const bundle = await bundleOf('./child.ts');
  try {
    return await runMatrix(given, bundle.file, interrupt.signal);
  } finally {
    bundle.remove();
    process.off('SIGINT', onInterrupt);
  }
}

async function runMatrix(given: Given, child: string, signal: AbortSignal): Promise<number> {
  const startedMs = performance.now();
  const whole = new Map<StoreKind, Played>();
  for (const kind of given.kinds) {
    const played = await play({ kind, kills: [] }, child, signal);
    const problems = problemsOf(played, played);
    if (problems.length > 0) throw new Error(`The run that nobody kills is wrong: ${problems.join('; ')}`);
    whole.set(kind, played);
    console.log(`${kind}: ${played.report.lines} lines, ${played.report.calls} calls of tools`);
  }
  const all = [...whole].flatMap(([kind, played]) => trialsOf(kind, played, given));
  const numbers = new Map(all.map((trial, index) => [trial, index + 1]));
  const trials = given.only === null ? all : all.slice(given.only - 1, given.only);
  if (trials.length === 0) throw new Error(`--at is ${given.only}, and there are ${all.length}.`);
  const show = progressShown(trials.length);
  const results = await tryAll(trials, {
    ...{ child, whole, signal },
    onResult(result) {
      show(result);
      if (result.problems.length > 0)
        console.log(`${describe(result)}\n        again: --at ${numbers.get(result.trial)}`);
    },
  });
  console.log(countsOf(results));
  console.log(`${Math.round((performance.now() - startedMs) / 1_000)} s, seed ${given.seed}`);
  const failed = results.filter(({ problems }) => problems.length > 0).length;
  if (signal.aborted) console.log(`Ended after ${results.length} of ${trials.length}.`);
  console.log(`${results.length - failed} passed, ${failed} failed`);
  return failed === 0 && !signal.aborted ? 0 : 1;
}

function trialsOf(kind: StoreKind, played: Played, { twice, outside, seed }: Given): readonly Trial[] {
  const draw = seeded(seed);
  const points = pointsOf(played);
  const kills = [
    ...points.map((point) => [point]),
    ...twicePoints(points, draw, twice),
    ...outsidePoints(played.lastMs, draw, outside),
  ];
  return kills.map((each) => ({ kind, kills: each }));
}

function countsOf(results: readonly Result[]): string {
  const sum = (count: (result: Result) => number) => results.reduce((total, result) => total + count(result), 0);
  const found = (what: Result['found']) => results.filter((result) => result.found === what).length;
  return [
    `${sum(({ killed }) => killed)} processes were killed, in ${results.length} runs. The last one found nothing stored in`,
    `${found('nothing')} of them, a run to go on with in ${found('run')}, and one that had its answer in ${found('end')}.`,
    `${sum(({ unknown }) => unknown.told)} calls were told as unknown; of ${sum(({ unknown }) => unknown.happened)} the effect had happened.`,
  ].join('\n');
}

/** Where no line can be redrawn, one is printed so often. */
const lineEveryMs = 10_000;

function progressShown(all: number) {
  const { isTTY = false } = process.stderr;
  let shownMs = performance.now();
  let done = 0;
  let failed = 0;
  return ({ problems }: Result) => {
    done++;
    if (problems.length > 0) failed++;
    const line = `${done} of ${all}${failed === 0 ? '' : `, ${failed} failed`}`;
    if (isTTY) return void process.stderr.write(`\r\u001b[2K${done === all ? '' : line}`);
    if (performance.now() - shownMs < lineEveryMs) return;
    shownMs = performance.now();
    console.error(line);
  };
}

try {
  process.exitCode = await main();
} catch (thrown) {
  console.error(`${messageOf(thrown)} See --help.`);
  process.exitCode = 2;
}
