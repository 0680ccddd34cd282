/** Stands in for `going-on.ts` in bundles for the edge that do not ask for it: a run that has ended is over. */
import type { CallNotes } from '../core/snapshot.ts';

const hint = 'Start a new one. To go on after a limit, bundle with the condition fuseloop-lasting.';

export function whyNotOn(): string {
  return hint;
}

export function reopened(): never {
  throw new Error(hint); // whoever asks has been refused before
}

export function stillSpent(): null {
  return null;
}

export function withUntold(notes: Map<string, CallNotes>): Map<string, CallNotes> {
  return notes;
}
