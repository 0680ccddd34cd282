import { defineConfig } from 'vitest/config';

/** `--mode long` draws more and leaves nothing out; the usual run takes minutes. */
export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // By default one core is left to others: on two, half of the machine.
    maxWorkers: '100%',
    env: mode === 'long' ? { FUSELOOP_LONG: '1' } : {},
  },
}));
