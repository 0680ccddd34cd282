/** Another process at the files of a store. It does what it is told, and says what came of it. */
import { AgentError } from '../../src/core/errors.ts';
import type { HeldRun } from '../../src/core/store.ts';
import { fileStore } from '../../src/store.ts';
import { settled, started } from './lines.ts';

const [path = '', runId = ''] = process.argv.slice(2);
const store = fileStore(path);
let held: HeldRun | null = null;

const works = {
  async open() {
    held = await store.open(runId);
    return { epoch: held.epoch };
  },
  async append() {
    const next = (await store.read(runId))?.length ?? 0;
    await held?.append([next === 0 ? started(runId) : settled(next)]);
    return {};
  },
  async release() {
    await held?.release();
    held = null;
    return {};
  },
  /** Takes hold of the run over and over, each time for one line, until it was held so often. */
  async contend() {
    const epochs: number[] = [];
    while (epochs.length < 100) {
      const taken = await store.open(runId).catch((error: unknown) => {
        if (error instanceof AgentError && error.code === 'run_held') return null;
        throw error;
      });
      if (taken === null) continue;
      epochs.push(taken.epoch);
      const next = taken.lines.length;
      await taken.append([next === 0 ? started(runId) : settled(next)]);
      await taken.release();
    }
    return { epochs };
  },
};

const isWork = (name: unknown): name is keyof typeof works => typeof name === 'string' && Object.hasOwn(works, name);

process.on('message', (name) => {
  if (!isWork(name)) throw new Error(`There is no ${String(name)}.`);
  works[name]().then(
    (said) => process.send?.(said),
    (error: unknown) => process.send?.(error instanceof AgentError ? error.toJSON() : { code: String(error) }),
  );
});
process.send?.({ ready: true });
