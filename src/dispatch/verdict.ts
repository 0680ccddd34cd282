/** What the gates say of a call, put into the machine's words. Pure. */
import type { Gate, Verdict } from '../core/events.ts';
import { fingerprint } from '../core/fingerprint.ts';
import { canonicalJson, type JsonValue } from '../core/json.ts';
import type { CallState } from '../core/snapshot.ts';
import type { CompiledTool } from './toolbox.ts';

/** A call as the gates see it: `input` is what would run. */
export interface JudgedCall extends Pick<CallState, 'callId' | 'tool' | 'input'> {
  /** What was changed so that the input fits its schema. */
  readonly coerced?: readonly string[];
  /** What the schema made of the input, where equal calls are not to run twice. */
  readonly made?: JsonValue;
}

/** Stands for the tool and its canonical input. Where its schema made another one of it, that stands first, on a line of its own. */
export function callKey({ tool, input, made = input }: Pick<JudgedCall, 'tool' | 'input' | 'made'>): string {
  const [does, written] = [made, input].map((each) => fingerprint(`${tool} ${canonicalJson(each ?? {})}`));
  return does === written ? `${written}` : `${does}\n${written}`;
}

/** Whether two calls would do the same, however they were written. */
export function doSame(key: string, other: string): boolean {
  return key.split('\n', 1)[0] === other.split('\n', 1)[0];
}

/** Whether it is the key of this call as it is written. */
export function isKeyOf(key: string, call: Pick<CallState, 'tool' | 'input'>): boolean {
  return key.split('\n').at(-1) === callKey({ tool: call.tool, input: call.input });
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
