/** What the gates say of a call, put into the machine's words. Pure. */
import type { Gate, Verdict } from '../core/events.ts';
import { fingerprint } from '../core/fingerprint.ts';
import { canonicalJson } from '../core/json.ts';
import type { CallState } from '../core/snapshot.ts';
import type { CompiledTool } from './toolbox.ts';

/** A call as the gates see it: `input` is what would run. */
export interface JudgedCall extends Pick<CallState, 'callId' | 'tool' | 'input'> {
  /** What was changed so that the input fits its schema. */
  readonly coerced?: readonly string[];
}

/** Stands for tool and canonical input. */
export function callKey({ tool, input }: Pick<CallState, 'tool' | 'input'>): string {
  return fingerprint(`${tool} ${canonicalJson(input ?? {})}`);
}

/** `gate`: the one that asks; null where all were passed. */
export function verdict(
  call: JudgedCall,
  tool: CompiledTool | null,
  pass: Verdict['pass'],
  gate: Gate | null = null,
): Verdict {
  return {
    callId: call.callId,
    pass,
    input: call.input,
    observation: null,
    effect: tool?.effect ?? 'unmarked',
    endsRun: tool?.endsRun ?? false,
    key: callKey(call),
    ...(gate === null ? {} : { gate }),
    ...(call.coerced === undefined ? {} : { coerced: call.coerced }),
  };
}

export function refuse(call: JudgedCall, tool: CompiledTool | null, gate: Gate, observation: string): Verdict {
  return { ...verdict(call, tool, 'refuse', gate), observation };
}
