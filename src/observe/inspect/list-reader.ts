/** What a reader of the list of runs is sent next: all runs at first, then those that changed. */
import type { Holds } from './holds.ts';
import { serverSent } from './stream.ts';

/** So many runs in one list. */
const mostRuns = 500;

/** Gives what comes next; null where there is nothing yet. `tooLate`: it must come back and be told all anew. */
export function listReader(holds: Holds, tooLate: () => void): () => string | null {
  let told = holds.beginning();
  let isFirst = true;
  return () => {
    const changes = holds.since(told, mostRuns);
    if (changes === null) {
      tooLate();
      return null;
    }
    const { runs, gone } = changes;
    told = changes.told;
    // An empty list, too, says that there is none.
    const list = runs.length > 0 || isFirst ? serverSent('runs', JSON.stringify(runs)) : '';
    isFirst = false;
    const text = list + (gone.length > 0 ? serverSent('gone', JSON.stringify(gone)) : '');
    return text === '' ? null : text;
  };
}
