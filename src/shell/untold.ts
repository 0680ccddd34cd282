/** Calls that an end left without a result, in a step that is over when the run goes on: what the model is told of them. */
import type { CallNotes, CallState } from '../core/snapshot.ts';
import type { Messages } from '../dispatch/messages.ts';
import { noNotes } from './no-notes.ts';

/** The notes of the step, with words for each call that has no result: it had been started, or it never began. */
export function withUntold(
  notes: Map<string, CallNotes>,
  calls: readonly CallState[],
  words: Pick<Messages, 'interrupted' | 'notStarted'>,
): Map<string, CallNotes> {
  const untold = calls.flatMap(({ callId, tool, status }): (readonly [string, CallNotes])[] => {
    const known = notes.get(callId) ?? noNotes;
    const { observation, endedAtMs } = known;
    if (status === 'unknown' ? endedAtMs !== null : observation !== null) return [];
    const told = status === 'unknown' ? words.interrupted(tool) : words.notStarted(tool);
    return [[callId, { ...known, observation: observation === null ? told : `${told}\n${observation}` }]];
  });
  return untold.length === 0 ? notes : new Map([...notes, ...untold]);
}
