/** Runs that stand in the page: it was written by `fuseloop inspect --html`. */
import type { EmbeddedRun } from '../../observe/inspect/wire.ts';
import { isEmbedded, isEvent, parsed, readList } from './read-wire.ts';
import type { Source } from './source.ts';

/** Null where the page has none. */
export function embeddedRuns(): readonly EmbeddedRun[] | null {
  const element = document.getElementById('fuseloop-runs');
  return element === null ? null : readList(parsed(element.textContent ?? ''), isEmbedded);
}

export function embeddedSource(runs: readonly EmbeddedRun[]): Source {
  return {
    watchRuns(listener) {
      listener.connection('file');
      listener.runs(
        runs.map(({ summary }) => ({ ...summary, isLive: false, isDecidable: false })),
        true,
      );
      return () => {};
    },
    watchEvents(key, _, listener) {
      const run = runs.find(({ summary }) => summary.key === key);
      listener.events(readList(run?.events, isEvent), 0);
      listener.end();
      return () => {};
    },
    decide: async () => ({ code: 'unreachable' }),
  };
}
