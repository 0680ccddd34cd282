/** What the gates say of a call, put into the machine's words. Pure. */

import { fingerprint, hashOf } from '../core/fingerprint.ts';
import { canonicalJson, type JsonValue } from '../core/json.ts';
import type { CallState } from '../core/snapshot.ts';
import type { Gate, Verdict } from '../core/verdict.ts';
import type { CompiledTool } from './toolbox.ts';

/** A call as the gates see it: `input` is what would run. */
export interface JudgedCall extends Pick<CallState, 'callId' | 'tool' | 'input'> {
  /** What was changed so that the input fits its schema. */
  readonly coerced?: readonly string[];
  /** What the schema made of the input, where equal calls are not to run twice. */
  readonly made?: JsonValue;
}

/**
 * Stands for the tool and its canonical input. Where its schema made another input of it, that stands first, and behind it, on
 * a line of its own, a hash of what was written. Short.
 */
export function callKey({ tool, input, made = input }: Pick<JudgedCall, 'tool' | 'input' | 'made'>): string {
  const [does = '', written = ''] = [made, input].map((each) => fingerprint(`${tool} ${canonicalJson(each ?? {})}`));
  return does === written ? written : `${does}\n${hashOf(written)}`;
}

/** Whether two calls would do the same, however they were written. */
export function doSame(key: string, other: string): boolean {
  return key.split('\n', 1)[0] === other.split('\n', 1)[0];
}

/** Whether it is the key of this call as it is written. */
export function isKeyOf(key: string, { tool, input }: Pick<CallState, 'tool' | 'input'>): boolean {
  const written = callKey({ tool, input });
  return key === written || key.endsWith(`\n${hashOf(written)}`);
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
