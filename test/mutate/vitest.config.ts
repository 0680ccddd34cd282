/**
 * What `npm run mutate` runs for each mutant of `machines/`: the tables of the machine alone, which take a second. The
 * random walks stay out, so that a mutant which is killed today is killed tomorrow.
 */
import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: that is how vitest takes its configuration.
export default defineConfig({
  test: { include: ['test/machine/**/*.test.ts'], testTimeout: 30_000 },
});
