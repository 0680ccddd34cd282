/** Calls while they are watched: what the gates said, what a person decided, what the tools gave. Pure. */
import type { ApprovalDenied, ApprovalGranted, CallSettled, CallsChecked } from '../core/events.ts';
import type { CallRetried, RunResumed } from '../core/journal.ts';
import { shortened } from '../dispatch/brief.ts';
import { whyAllowed } from '../observe/audit-words.ts';
import { note, observation } from './live-notes.ts';
import type { Live, LiveOptions, Shown } from './live-state.ts';
import { visible } from './plain-text.ts';

/** The calls of a step that goes on, where one does. What the gates said of them was told where they were checked. */
export function resumed(live: Live, { limits, policy, calls }: RunResumed): Live {
  const asking = calls.filter(({ status }) => status === 'asking');
  if (calls.length === 0) return { ...live, limits, policy, step: 0 };
  return { ...live, limits, policy, calls, asking, phase: 'acting' };
}

/** The verdicts stand in the order of the calls, and give them their ids. */
export function checked(live: Live, { verdicts }: CallsChecked, options: LiveOptions): Shown {
  const calls = verdicts.map(({ callId, input }, index) => ({ callId, input, tool: live.calls[index]?.tool ?? '' }));
  const asking = verdicts.flatMap((verdict, index) => {
    const call = calls[index];
    if (call === undefined || verdict.pass !== 'ask') return [];
    return [{ ...call, why: whyAllowed(verdict, call.tool, live.policy) }];
  });
  const next: Live = { ...live, calls, asking };
  const refused = verdicts.filter(({ pass }) => pass === 'refuse');
  return [next, refused.map((verdict) => observed(next, verdict, options)).join('')];
}

export function decided(live: Live, event: ApprovalGranted | ApprovalDenied, options: LiveOptions): Shown {
  const asking = live.asking.filter(({ callId }) => callId !== event.callId);
  if (event.type === 'approval.granted') return [{ ...live, asking }, ''];
  const refused = isRefusedEdit(event)
    ? note('The input as edited was refused, and the call does not run.', options)
    : '';
  return [{ ...live, asking }, refused + observed(live, event, options)];
}

/** Whether the gates refused what a person edited. */
export function isRefusedEdit({ cause }: ApprovalDenied): boolean {
  return cause !== 'person' && cause !== 'timeout';
}

export function settled(live: Live, event: CallSettled, options: LiveOptions): Shown {
  const doubt = note('It was started, and nobody knows whether it took effect.', options);
  return [live, observed(live, event, options) + (event.result === 'unknown' ? doubt : '')];
}

/** In a dim line, since the call may still succeed. */
export function retried(
  { calls }: Live,
  { callId, attempt, waitMs, error }: CallRetried,
  { style }: LiveOptions,
): string {
  const tool = calls.find((call) => call.callId === callId)?.tool ?? callId;
  const why = visible(shortened(error?.message ?? 'no result in time', 200)).replaceAll('\n', ' ');
  return `${style('dim', `  try ${attempt} of ${visible(tool)} failed (${why}); again in ${waitMs} ms`)}\n`;
}

/** The tool is named where there are several to tell apart. */
function observed(
  { calls }: Live,
  { callId, observation: text }: { readonly callId: string; readonly observation: string | null },
  options: LiveOptions,
): string {
  const tool = calls.length > 1 ? (calls.find((call) => call.callId === callId)?.tool ?? null) : null;
  return observation({ text: text ?? '', tool }, options);
}
