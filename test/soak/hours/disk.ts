/** The disk of the simulated machine: what is written in what order, as one digest, and how much. */
import { createHash } from 'node:crypto';
import type { JournalLine, Store } from '../../../src/store.ts';

export interface Written {
  /** Lines so far. */
  lines(): number;
  /** Of all that was written, in its order, with the runs and the moments. */
  digest(): string;
}

/** Over a store that writes before it gives way. */
export function watchedDisk(store: Store): Store & Written {
  const hash = createHash('sha256');
  let count = 0;
  const note = (kind: string, runId: string, lines: readonly JournalLine[]) => {
    count += lines.length;
    hash.update(`${JSON.stringify([kind, runId, lines])}\n`);
  };
  return {
    ...store,
    async open(runId) {
      const held = await store.open(runId);
      return {
        ...held,
        append(lines) {
          note('append', runId, lines);
          return held.append(lines);
        },
        replace(lines) {
          note('replace', runId, lines);
          return held.replace(lines);
        },
      };
    },
    lines: () => count,
    digest: () => hash.copy().digest('hex'),
  };
}
