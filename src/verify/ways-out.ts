/**
 * What must be obeyed in a state at rest, so that nobody waits there for ever: the deadline, an abort, and each answer to
 * what is due. Pure.
 */
import type { Command } from '../../machines/commands.ts';
import type { Edge } from '../../machines/edge.ts';
import type { ReactEvent } from '../core/events.ts';

export interface WayOut {
  /** For people. */
  readonly what: string;
  taken(edge: Edge): boolean;
}

/** `due` are the commands that are outstanding in the state. */
export function waysOut(due: readonly Command[]): readonly WayOut[] {
  return [
    { what: 'the deadline', taken: ({ event, after }) => event.type === 'clock.expired' && after.state === 'ERROR' },
    { what: 'an abort', taken: ({ event, after }) => event.type === 'run.aborted' && after.state === 'ERROR' },
    {
      what: 'a store that fails',
      taken: ({ event, after }) => event.type === 'store.failed' && after.state === 'ERROR',
    },
    ...due.flatMap(answersTo),
  ];
}

function answersTo(command: Command): readonly WayOut[] {
  switch (command.type) {
    case 'askModel':
      return [by('reply.ended'), by('reply.failed')];
    case 'checkCalls':
      return [by('calls.checked')];
    case 'recoverCalls':
      return command.calls.map(({ callId }) => by('call.settled', callId));
    case 'askApproval':
      return command.calls.flatMap(({ callId }) => [by('approval.granted', callId), by('approval.denied', callId)]);
    case 'checkAnswer':
      return [by('answer.accepted'), by('answer.rejected')];
    default:
      return [];
  }
}

function by(type: ReactEvent['type'], callId?: string): WayOut {
  return {
    what: callId === undefined ? type : `${type} of ${callId}`,
    taken: ({ event }) =>
      event.type === type && (callId === undefined || ('callId' in event && event.callId === callId)),
  };
}
