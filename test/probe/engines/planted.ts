/** Engines with one fault each, which show that the probe sees it. They are no part of what it measures. */
import type { Ending, Engine } from '../engine.ts';
import { never } from '../streams.ts';

const ended: Ending = { kind: 'stopped', reason: 'max_steps' };
const planted = (name: string, start: () => Promise<Ending>): Engine => ({ name, start });

export const plantedEngines: readonly Engine[] = [
  planted('planted-good', async () => ended),
  planted('planted-waits', () => never()),
  planted('planted-spins', () => {
    for (;;);
  }),
  planted('planted-lies', async () => ({ kind: 'answered', reason: 'final', answer: 'done' })),
  planted('planted-leaks', async () => {
    setInterval(() => {}, 60_000);
    return ended;
  }),
  planted('planted-crashes', () => {
    setImmediate(() => {
      throw new Error('nobody catches this');
    });
    return never();
  }),
  planted('planted-rejects', async () => {
    void Promise.reject(new Error('nobody hears this'));
    return ended;
  }),
];
