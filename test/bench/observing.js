/**
 * What it costs to be seen: CPU time a step with an observer that does nothing, with a trace file, and with an inspector whose
 * page is open in another process; and the size of a trace.
 */
import { fileURLToPath } from 'node:url';
import { run } from './fresh.js';
import { printTable, progress } from './show.js';
import { median } from './statistics.js';

export const observingEffort = {
  full: { pairs: 7, warmMs: 3_000, measureMs: 2_000 },
  quick: { pairs: 3, warmMs: 1_500, measureMs: 700 },
};

const steps = 50;
const watchers = ['empty', 'file', 'inspector'];

export async function benchObserving({ pairs, warmMs, measureMs }) {
  const measured = (watcher) =>
    run(
      [fileURLToPath(new URL('./observing-process.js', import.meta.url)), watcher, steps, warmMs, measureMs].map(
        String,
      ),
    );
  const taken = [];
  for (let pair = 1; pair <= pairs; pair++) {
    const turn = { none: await measured('none') };
    for (const watcher of watchers) {
      progress(`observer ${watcher}: turn ${pair} of ${pairs}`);
      turn[watcher] = await measured(watcher);
    }
    taken.push(turn);
  }
  progress('');
  console.log(
    `\nCPU time a step, beside the same run that nobody sees (${steps} steps a run, median of ${pairs} turns)\n`,
  );
  printTable(
    ['observer', 'CPU a step', 'not seen', 'ratio', 'turns', 'trace a step', 'dropped'],
    watchers.map((watcher) => {
      const ratios = taken.map((turn) => turn[watcher].cpuUs / turn.none.cpuUs);
      const [cpuUs, plain, bytes] = [
        median(taken.map((turn) => turn[watcher].cpuUs)),
        median(taken.map(({ none }) => none.cpuUs)),
        median(taken.map((turn) => turn[watcher].bytes)),
      ];
      return [
        ...[watcher, `${cpuUs.toFixed(0)} µs`, `${plain.toFixed(0)} µs`, `${median(ratios).toFixed(2)}×`],
        ...[`${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`, `${(bytes / 1_024).toFixed(2)} KiB`],
        String(taken.reduce((sum, turn) => sum + turn[watcher].dropped, 0)),
      ];
    }),
  );
}
