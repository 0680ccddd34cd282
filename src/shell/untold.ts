/** Calls that an end left without a result, in a step that is over when the run goes on: what the model is told of them. */
import type { CallNotes, CallState, OpenStep } from '../core/snapshot.ts';
import type { Messages } from '../dispatch/messages.ts';
import { noNotes } from './no-notes.ts';

type Words = Pick<Messages, 'interrupted' | 'notStarted'>;

/** The notes of the step, with words for each call that has no result: it had been started, or it never began. */
export function withUntold(
  notes: Map<string, CallNotes>,
  calls: readonly CallState[],
  words: Words,
): Map<string, CallNotes> {
  const told = calls.flatMap((call): (readonly [string, CallNotes])[] => {
    const known = notes.get(call.callId) ?? noNotes;
    const observation = toldOf(call, known, words);
    return observation === null ? [] : [[call.callId, { ...known, observation }]];
  });
  return told.length === 0 ? notes : new Map([...notes, ...told]);
}

/** The same for the trace, when the run goes on: of the calls that will have no result any more. */
export function untold(open: OpenStep | null, calls: readonly CallState[], words: Words) {
  const notes = new Map(Object.entries(open?.notes ?? {}));
  return calls.flatMap((call) => {
    const { callId, status } = call;
    const isOver = status === 'unknown' || status === 'refused';
    const observation = isOver ? toldOf(call, notes.get(callId) ?? noNotes, words) : null;
    return observation === null ? [] : [{ callId, observation }];
  });
}

/** Null where it has a result. */
function toldOf({ tool, status }: CallState, { observation, endedAtMs }: CallNotes, words: Words): string | null {
  if (status === 'unknown' ? endedAtMs !== null : observation !== null) return null;
  const told = status === 'unknown' ? words.interrupted(tool) : words.notStarted(tool);
  return observation === null ? told : `${told}\n${observation}`;
}
