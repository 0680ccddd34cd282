/**
 * `npm run bench`: what a step of the library costs beside a hand-written loop with the same duties, what a run that
 * waits for a person costs in memory, what importing the library costs beside importing XState alone, and what reading
 * a reply costs.
 *
 * Each figure comes from a fresh process, and the two sides of a comparison take turns, so that a machine that grows
 * slow or busy meanwhile does so for both. A comparison is the median of the ratios of the pairs.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { run } from './fresh.js';
import { benchLasting, lastingBars, lastingEffort } from './lasting.js';
import { benchObserving, observingEffort } from './observing.js';
import { benchReading, readingBars, readingEffort } from './reading.js';
import { printRows, printTable, progress, row } from './show.js';
import { growthExponent, median } from './statistics.js';

const sizes = [8, 50, 200, 1_000];
const bars = { ratio: 30, exponent: 0.1, suspendedKib: 12, import: 1.5 };

const full = { pairs: 7, warmSteps: 20_000, warmMs: 8_000, measureMs: 1_000, runs: 5_000, imports: 25 };
const quick = { pairs: 1, warmSteps: 25_000, warmMs: 4_000, measureMs: 500, runs: 1_000, imports: 9 };

const help = `Usage: npm run bench -- [--quick] [--check] [--reading | --lasting | --observing]

  --reading  only what reading a reply costs
  --lasting  only what storing runs costs: about 5 minutes; with --quick 30 seconds
  --observing  only what it costs to be seen: about 3 minutes; with --quick half a minute
  --quick    fewer pairs and rounds and shorter ones, and all hostile texts of a dialect in one process: about a minute,
             and less exact (full: about 7 minutes); with --reading 15 seconds (full: about 3 minutes)
  --check    exit with 1 where a figure is over its bar
  --help     this text

Bars: at most ${bars.ratio} times the CPU time of a hand-written loop at ${sizes.join(', ')} steps; growth exponent at most
${bars.exponent} above its; ${bars.suspendedKib} KiB of heap a suspended run; CPU of an import ${bars.import} times that of xstate alone. For each
dialect: time exponent ${readingBars.exponent} of reading hostile texts from 10 KB to 1 MB; whole replies at ${readingBars.megabytesPerSecond} MB/s (10⁶ bytes of UTF-8);
a chunk of 4 characters ${readingBars.chunkUs} µs above the carrier, which only appends it to a list. All times are CPU times.
An ended run that left its store leaves at most ${lastingBars.leftBytes} bytes of heap.`;

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    check: { type: 'boolean' },
    reading: { type: 'boolean' },
    lasting: { type: 'boolean' },
    observing: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (flags.help) console.log(help);
else if (flags.observing) await benchObserving(flags.quick ? observingEffort.quick : observingEffort.full);
else if (flags.lasting) {
  const isOver = await benchLasting(flags.quick ? lastingEffort.quick : lastingEffort.full);
  if (flags.check && isOver) process.exitCode = 1;
} else {
  const isOver = flags.reading ? false : await bench(flags.quick ? quick : full);
  const isReadingOver = await benchReading(flags.quick ? readingEffort.quick : readingEffort.full);
  if (flags.check && (isOver || isReadingOver)) process.exitCode = 1;
}

/** Prints the figures; true where one of them is over its bar. */
async function bench(effort) {
  const loops = [];
  for (const steps of sizes) loops.push(await compareLoops(steps, effort));
  const figures = {
    loops,
    exponents: { library: exponentOf(loops, 'library'), plain: exponentOf(loops, 'plain') },
    suspended: await heapOf('suspended', effort),
    live: await heapOf('live', effort),
    imports: await compareImports(effort),
  };
  progress('');
  const rows = judge(figures);
  printLoops(loops, effort);
  console.log('');
  printRows(rows);
  console.log(`\n${summary(figures)}`);
  return rows.some(({ over }) => over);
}

// Measuring.

async function compareLoops(steps, { pairs, warmSteps, warmMs, measureMs }) {
  const taken = [];
  for (let pair = 1; pair <= pairs; pair++) {
    progress(`${steps} steps: pair ${pair} of ${pairs}`);
    const measure = (side) => measured([], ['loop', side, steps, warmSteps, warmMs, measureMs]);
    taken.push({ library: await measure('library'), plain: await measure('plain') });
  }
  const ratios = taken.map(({ library, plain }) => library.cpuUs / plain.cpuUs);
  return {
    steps,
    library: median(taken.map(({ library }) => library.cpuUs)),
    plain: median(taken.map(({ plain }) => plain.cpuUs)),
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    wallRatio: median(taken.map(({ library, plain }) => library.wallUs / plain.wallUs)),
  };
}

/** Of the time of a whole run over its steps: 1 is a loop whose steps all cost the same. */
function exponentOf(loops, side) {
  return growthExponent(loops.map((loop) => [loop.steps, loop[side] * loop.steps]));
}

async function heapOf(kind, { runs }) {
  progress(`heap of ${runs} ${kind} runs`);
  const { kib } = await measured(['--expose-gc'], ['heap', kind, runs]);
  return kib;
}

/** CPU milliseconds of importing, above those of a process that imports nothing. */
async function compareImports({ imports }) {
  const taken = [];
  for (let turn = 1; turn <= imports; turn++) {
    progress(`import: ${turn} of ${imports}`);
    const empty = await importMs(null);
    const library = await importMs(new URL('../../dist/index.js', import.meta.url).href);
    const xstate = await importMs(import.meta.resolve('xstate'));
    taken.push({ empty, library, xstate });
  }
  const empty = median(taken.map((turn) => turn.empty));
  const library = median(taken.map((turn) => turn.library)) - empty;
  const xstate = median(taken.map((turn) => turn.xstate)) - empty;
  return { library, xstate, ratio: library / xstate };
}

async function importMs(url) {
  const importing = url === null ? '' : `await import(${JSON.stringify(url)});`;
  const code = `${importing} const { user, system } = process.cpuUsage(); console.log((user + system) / 1000);`;
  return run(['--input-type=module', '--eval', code]);
}

function measured(nodeFlags, words) {
  return run([...nodeFlags, fileURLToPath(new URL('./measured.js', import.meta.url)), ...words.map(String)]);
}

// Showing.

function judge({ loops, exponents, suspended, live, imports }) {
  const above = exponents.library - exponents.plain;
  const exponentText = `${signed(above)} (${exponents.library.toFixed(2)} and ${exponents.plain.toFixed(2)})`;
  const importText = `${imports.ratio.toFixed(2)}× (${imports.library.toFixed(1)} and ${imports.xstate.toFixed(1)} ms)`;
  return [
    ...loops.map(({ steps, ratio }) => row(`${steps} steps, ratio`, `${ratio.toFixed(1)}×`, ratio, bars.ratio)),
    row('growth exponent, above the loop', exponentText, above, bars.exponent),
    row('suspended run, heap', `${suspended.toFixed(1)} KiB`, suspended, bars.suspendedKib),
    row('live run that waits, heap', `${live.toFixed(1)} KiB`, live, null),
    row('import, CPU beside xstate', importText, imports.ratio, bars.import),
  ];
}

function printLoops(loops, { pairs }) {
  console.log(`\nCPU time a step, library beside a hand-written loop (median of ${pairs} pairs of fresh processes)\n`);
  printTable(
    ['steps', 'library', 'loop', 'ratio', 'pairs', 'ratio of wall time'],
    loops.map(({ steps, library, plain, ratio, lowest, highest, wallRatio }) => [
      String(steps),
      `${library.toFixed(1)} µs`,
      `${plain.toFixed(2)} µs`,
      `${ratio.toFixed(1)}×`,
      `${lowest.toFixed(1)}–${highest.toFixed(1)}`,
      `${wallRatio.toFixed(1)}×`,
    ]),
  );
}

function summary({ loops, exponents, suspended, imports }) {
  const ratios = loops.map(({ steps, ratio }) => `${steps} → ${ratio.toFixed(1)}×`).join(', ');
  const above = signed(exponents.library - exponents.plain);
  return `ratios: ${ratios} · exponent ${above} · suspended ${suspended.toFixed(1)} KiB · import ${imports.ratio.toFixed(2)}×`;
}

function signed(value) {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
}
