/** What storing runs costs: CPU and bytes a step, memory of runs that wait, and what a run leaves that has ended. */
import { fileURLToPath } from 'node:url';
import { run } from './fresh.js';
import { printRows, printTable, progress, row } from './show.js';
import { median } from './statistics.js';

export const lastingEffort = {
  full: { pairs: 5, warmMs: 3_000, measureMs: 2_000, suspended: 10_000, finished: 20_000, finishedInFiles: 5_000 },
  quick: { pairs: 1, warmMs: 1_000, measureMs: 500, suspended: 1_000, finished: 5_000, finishedInFiles: 2_000 },
};

const steps = 50;
const places = ['memory', 'file'];
/** Of heap, a run that has ended: compiled code and caches that still grow are spread over all runs. */
export const lastingBars = { leftBytes: 128 };

/** Prints the figures; true where one of them is over its bar. */
export async function benchLasting(effort) {
  const costs = await compareSteps(effort);
  const waiting = {};
  for (const place of ['held', ...places]) waiting[place] = await waits(place, effort);
  const left = {};
  for (const place of ['none', ...places]) left[place] = await leaves(place, effort);
  progress('');
  console.log(`\nCPU time a step of runs that are stored, beside the same runs that are not (${steps} steps a run)\n`);
  printTable(
    ['store', 'CPU a step', 'not stored', 'ratio', 'pairs', 'stored a step'],
    costs.map(({ place, cpuUs, plain, ratios, kib }) => [
      ...[place, `${cpuUs.toFixed(0)} µs`, `${plain.toFixed(0)} µs`, `${median(ratios).toFixed(1)}×`],
      ...[`${Math.min(...ratios).toFixed(1)}–${Math.max(...ratios).toFixed(1)}`, `${kib.toFixed(2)} KiB`],
    ]),
  );
  console.log('');
  const rows = [
    ...Object.entries(waiting).map(([place, kib]) =>
      row(
        `suspended run, heap, ${place === 'held' ? 'outcome held' : `store ${place}`}`,
        `${kib.toFixed(1)} KiB`,
        kib,
        null,
      ),
    ),
    ...Object.entries(left).map(([place, bytes]) =>
      row(`left by an ended run, store ${place}`, `${bytes.toFixed(1)} B`, bytes, lastingBars.leftBytes),
    ),
  ];
  printRows(rows);
  return rows.some(({ over }) => over);
}

async function compareSteps({ pairs, warmMs, measureMs }) {
  const costs = places.map((place) => ({ place, taken: [] }));
  for (let pair = 1; pair <= pairs; pair++)
    for (const { place, taken } of costs) {
      progress(`store ${place}: pair ${pair} of ${pairs}`);
      const plain = await measured([], ['loop', 'none', steps, warmMs, measureMs]);
      const stored = await measured([], ['loop', place, steps, warmMs, measureMs]);
      taken.push({ plain: plain.cpuUs, stored: stored.cpuUs, bytes: stored.bytes });
    }
  return costs.map(({ place, taken }) => ({
    place,
    cpuUs: median(taken.map(({ stored }) => stored)),
    plain: median(taken.map(({ plain }) => plain)),
    ratios: taken.map(({ stored, plain }) => stored / plain),
    kib: median(taken.map(({ bytes }) => bytes)) / 1_024,
  }));
}

async function waits(place, { suspended }) {
  progress(`heap of ${suspended} suspended runs: ${place}`);
  const { kib } = await measured(['--expose-gc'], ['suspended', place, suspended]);
  return kib;
}

async function leaves(place, { finished, finishedInFiles }) {
  const runs = place === 'file' ? finishedInFiles : finished;
  progress(`heap behind ${runs} ended runs: ${place}`);
  const { bytes } = await measured(['--expose-gc'], ['finished', place, runs]);
  return bytes;
}

function measured(nodeFlags, words) {
  return run([...nodeFlags, fileURLToPath(new URL('./lasting-process.js', import.meta.url)), ...words.map(String)]);
}
