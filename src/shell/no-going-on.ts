/** Stands in for `going-on.ts` in bundles for the edge that do not ask for it: a run that has ended is over. */
import type { CallNotes, CallState } from '../core/snapshot.ts';
import { type CallOptions, type CallOutcome, interruptedCall } from '../dispatch/call.ts';

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

export function untold(): readonly never[] {
  return [];
}

/** Nobody is asked, and so nobody knows. */
export function probeCall(
  call: CallState,
  { messages }: Pick<CallOptions, 'messages'>,
  done: (outcome: CallOutcome) => void,
): () => void {
  done(interruptedCall(call, messages));
  return () => {};
}

/** Nothing counts how often a run was taken up. */
export function onceTakenUp<Perform>(_scope: unknown, _inFlight: unknown, perform: Perform): Perform {
  return perform;
}

/** Only those of this version are taken. */
export function broughtForward<Document>(document: Document): Document {
  return document;
}
