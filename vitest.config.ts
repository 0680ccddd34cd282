import { defineConfig } from 'vitest/config';

/** Folders whose files share the modules that they load: loading them anew for each took half of their time. They leave nothing behind. */
const sharing = 'dispatch,machine,models,observe,properties,protocol,shell,style,tools,verify';

/** `--mode long` draws more and leaves nothing out; the usual run takes minutes. */
export default defineConfig(({ mode }) => {
  // Against what hangs; a machine that is busy beside must not turn it red. More draws take minutes by themselves.
  const testTimeout = mode === 'long' ? 1_800_000 : 120_000;
  return {
    test: {
      hookTimeout: 120_000,
      // By default one core is left to others: on two, half of the machine.
      maxWorkers: '100%',
      env: mode === 'long' ? { FUSELOOP_LONG: '1' } : {},
      // Each has the time-out by itself: where it extends this file, the mode is another one.
      projects: [
        {
          extends: true,
          test: { testTimeout, name: 'shared', include: [`test/{${sharing}}/**/*.test.ts`], isolate: false },
        },
        {
          extends: true,
          test: {
            testTimeout,
            name: 'apart',
            include: ['test/**/*.test.ts'],
            exclude: [`test/{${sharing},browser}/**`],
          },
        },
        // One browser, and one page built, for all files of a process.
        {
          extends: true,
          test: { testTimeout, name: 'browser', include: ['test/browser/**/*.test.ts'], isolate: false },
        },
      ],
    },
  };
});
