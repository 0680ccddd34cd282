/** What becomes of one call: read, checked, decided; and what it leaves to be remembered. Pure. */
import type { ApprovalDenied, ApprovalGranted, CallSettled } from '../src/core/events.ts';
import { fingerprint } from '../src/core/fingerprint.ts';
import type { ReadCall } from '../src/core/reading.ts';
import type { CallState, EffectRecord } from '../src/core/snapshot.ts';
import { statusOfPass, type Verdict } from '../src/core/verdict.ts';

export function callRead(call: ReadCall, callId: string): CallState {
  return {
    callId,
    tool: call.tool,
    input: call.input,
    repaired: call.repaired === true,
    status: 'read',
    effect: 'unmarked',
    endsRun: false,
    empty: false,
    key: '',
    resultKey: '',
  };
}

export function callChecked(call: CallState, verdict: Verdict): CallState {
  return {
    ...call,
    input: verdict.input,
    status: statusOfPass[verdict.pass],
    effect: verdict.effect,
    endsRun: verdict.endsRun,
    key: verdict.key,
    resultKey: verdict.pass === 'refuse' ? fingerprint(verdict.observation ?? '') : '',
  };
}

export function callDecided(call: CallState, event: ApprovalGranted | ApprovalDenied): CallState {
  if (event.type === 'approval.denied')
    return { ...call, status: 'refused', resultKey: fingerprint(event.observation) };
  return { ...call, status: 'ready', input: event.input, key: event.key };
}

/** What must not be done twice: a side effect that succeeded, and anything but a read whose result is unknown. */
export function effectOf(call: CallState, event: CallSettled): EffectRecord | null {
  if (event.result === 'unknown') return call.effect === 'readOnly' ? null : effectRecord(call, 'unknown');
  if (event.result === 'succeeded' && call.effect === 'sideEffect') return effectRecord(call, 'succeeded');
  return null;
}

export function effectRecord({ callId, tool, input, key }: CallState, status: EffectRecord['status']): EffectRecord {
  return { callId, tool, input, key, status };
}
