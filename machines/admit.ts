/**
 * Whether an event from outside belongs to the present. Asked before every transition, so that the machine itself never
 * sees what is late, foreign, twice or past the deadline. Pure and total.
 */
import type { CallsChecked, ReactEvent } from '../src/core/events.ts';
import type { CallStatus, ReactContext } from '../src/core/snapshot.ts';

/** `obey`: it belongs here. `drop`: it changes nothing. `expire`: the running time is spent, which comes first. */
export type Admission = 'obey' | 'drop' | 'expire';

export function admit(context: ReactContext, event: ReactEvent): Admission {
  if (context.stopReason !== null) return 'drop';
  if (event.type === 'machine.failed') return 'obey';
  if (!Number.isFinite(event.atMs) || event.atMs < 0) return 'drop';
  const spent = event.atMs >= context.limits.wallClockMs;
  if (event.type === 'clock.expired') return spent ? 'obey' : 'drop';
  if (!belongs(context, event)) return 'drop';
  return spent ? 'expire' : 'obey';
}

function belongs(context: ReactContext, event: ReactEvent): boolean {
  if ('step' in event && event.step !== context.step) return false;
  if (isOfReply(event) && (event.attempt ?? 1) !== context.attempt) return false;
  switch (event.type) {
    case 'calls.checked':
      return verdictsMatch(context, event);
    case 'call.settled':
      return callStands(context, event.callId, 'started');
    case 'answer.accepted':
      return context.proposed !== null && event.answer === context.proposed;
    case 'approval.asked':
      return context.approvalUntilMs === null; // asking again would put the deadline off
    case 'approval.granted':
    case 'approval.denied':
      return callStands(context, event.callId, 'asking');
    default:
      return true;
  }
}

/** Of a reply, or of the prompt that was sent for it. */
function isOfReply(event: ReactEvent): event is Extract<ReactEvent, { type: `reply.${string}` }> {
  return event.type.startsWith('reply.');
}

function callStands(context: ReactContext, callId: string, status: CallStatus): boolean {
  return context.calls.some((call) => call.callId === callId && call.status === status);
}

/** One verdict for each call, in the order of the calls, and none of them judged before. */
function verdictsMatch({ calls }: ReactContext, { verdicts }: CallsChecked): boolean {
  return (
    verdicts.length === calls.length &&
    calls.every((call, index) => call.status === 'read' && verdicts[index]?.callId === call.callId)
  );
}
