/** Of a call of which nothing is known yet. */
import type { CallNotes } from '../core/snapshot.ts';

export const noNotes: CallNotes = Object.freeze({
  observation: null,
  output: null,
  startedAtMs: null,
  endedAtMs: null,
});
