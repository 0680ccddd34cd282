/**
 * The gates that a call passes before it may start, in this order: known → input schema → duplicate → approval. Each
 * passes it on or gives a verdict. They never throw, and give one verdict for each call, in the order of the calls.
 */

import type { Verdict } from '../core/events.ts';
import { fingerprint } from '../core/fingerprint.ts';
import { canonicalJson, type JsonValue } from '../core/json.ts';
import type { CallState, EffectRecord } from '../core/snapshot.ts';
import type { Settled, Within } from '../core/within.ts';
import { brief } from './brief.ts';
import { copyInput, deepestInput } from './copy-input.ts';
import type { Messages } from './messages.ts';
import { nearestName } from './nearest.ts';
import type { Checked } from './schema.ts';
import type { CompiledTool, Toolbox } from './toolbox.ts';

export interface GateOptions {
  readonly toolbox: Toolbox;
  readonly messages: Messages;
  readonly within: Within;
  /** For an asynchronous schema or `needsApproval`. */
  readonly hookMs: number;
  /** Effects of this run that must not happen twice. */
  readonly effects: readonly EffectRecord[];
  /** Where the gates leave what the schema made of each input, for the call itself. By call id. */
  readonly parsed: Map<string, unknown>;
}

type Call = Pick<CallState, 'callId' | 'tool' | 'input'>;

/** Judges the calls one after the other. Returns what cancels it. */
export function checkCalls(
  calls: readonly Call[],
  options: GateOptions,
  done: (verdicts: readonly Verdict[]) => void,
): () => void {
  const verdicts: Verdict[] = [];
  const cancels: (() => void)[] = [];
  const next = (): void => {
    const call = calls[verdicts.length];
    if (call === undefined) {
      done(verdicts);
      return;
    }
    const cancel = checkCall(call, options, (verdict) => {
      verdicts.push(onceAReply(verdict, call, verdicts, options));
      next();
    });
    cancels.push(cancel);
  };
  next();
  return () => {
    for (const cancel of cancels) cancel();
  };
}

/** Of equal calls in one reply, one is let through: what comes of it is not known yet when the next is judged. */
function onceAReply(verdict: Verdict, call: Call, before: readonly Verdict[], options: GateOptions): Verdict {
  if (verdict.pass !== 'run' || verdict.effect === 'readOnly' || verdict.effect === 'idempotent') return verdict;
  const twin = before.find(({ key, pass }) => key === verdict.key && pass !== 'refuse');
  if (twin === undefined) return verdict;
  return refuse(call, options.toolbox.get(call.tool) ?? null, options.messages.twice(call.tool, twin.callId));
}

/** One call through all gates. Used again for an input that a person edited. */
export function checkCall(call: Call, options: GateOptions, done: (verdict: Verdict) => void): () => void {
  const tool = options.toolbox.get(call.tool) ?? null;
  const input = copyInput(call.input ?? {});
  const problem = problemBefore(tool, input, call, options);
  if (tool === null || input === undefined || problem !== null) {
    done(refuse(input === undefined ? { ...call, input: null } : call, tool, problem ?? ''));
    return () => {};
  }
  let cancelEffect = () => {};
  const cancelSchema = options.within<Checked>(
    options.hookMs,
    () => tool.schema.check(input),
    (checked) => {
      const problem = problemOf(checked, tool, options.messages);
      if (problem !== null) return done(refuse(call, tool, problem));
      if (checked.kind === 'value' && checked.value.ok) options.parsed.set(call.callId, checked.value.input);
      cancelEffect = checkEffect(call, tool, options, done);
    },
  );
  return () => {
    cancelSchema();
    cancelEffect();
  };
}

/** The duplicate rule, and whether a person has to be asked. A person may allow a repetition. */
function checkEffect(
  call: Call,
  tool: CompiledTool,
  options: GateOptions,
  done: (verdict: Verdict) => void,
): () => void {
  const key = callKey(call);
  const before =
    tool.effect === 'idempotent' || tool.effect === 'readOnly'
      ? undefined
      : options.effects.find((effect) => effect.key === key);
  const pass = (asks: boolean): Verdict => {
    if (asks)
      return {
        ...verdict(call, tool, 'ask'),
        observation: before === undefined ? null : options.messages.askAgain(before.callId, before.status),
      };
    if (before !== undefined) return refuse(call, tool, repetition(tool, before, options.messages));
    return verdict(call, tool, 'run');
  };
  const { asks } = tool;
  if (typeof asks === 'boolean') {
    done(pass(asks));
    return () => {};
  }
  return options.within(
    options.hookMs,
    () => asks(options.parsed.get(call.callId) ?? {}),
    (asked) =>
      done(
        asked.kind === 'value'
          ? pass(asked.value !== false)
          : refuse(call, tool, options.messages.checkFailed(tool.name, whyOf(asked))),
      ),
  );
}

/** Stands for tool and canonical input. */
export function callKey({ tool, input }: Pick<Call, 'tool' | 'input'>): string {
  return fingerprint(`${tool} ${canonicalJson(input ?? {})}`);
}

function verdict(call: Call, tool: CompiledTool | null, pass: Verdict['pass']): Verdict {
  return {
    callId: call.callId,
    pass,
    input: call.input,
    observation: null,
    effect: tool?.effect ?? 'unmarked',
    endsRun: tool?.endsRun ?? false,
    key: callKey(call),
  };
}

function refuse(call: Call, tool: CompiledTool | null, observation: string): Verdict {
  return { ...verdict(call, tool, 'refuse'), observation };
}

/** What is known without asking the schema. */
function problemBefore(
  tool: CompiledTool | null,
  input: JsonValue | undefined,
  call: Call,
  options: GateOptions,
): string | null {
  if (tool === null) return unknownTool(call.tool, options);
  if (input !== undefined) return null;
  return options.messages.badInput(tool.name, [`it is nested deeper than ${deepestInput} levels`], null);
}

function unknownTool(name: string, { toolbox, messages }: GateOptions): string {
  return messages.unknownTool(name.slice(0, 100), nearestName(name, toolbox.keys()), [...toolbox.keys()]);
}

function problemOf(checked: Settled<Checked>, tool: CompiledTool, messages: Messages): string | null {
  if (checked.kind !== 'value') return messages.checkFailed(tool.name, whyOf(checked));
  if (checked.value.ok) return null;
  return messages.badInput(tool.name, checked.value.problems.slice(0, 5).map(brief), exampleOf(tool.schema.jsonSchema));
}

function whyOf(settled: Exclude<Settled<unknown>, { kind: 'value' }>): string {
  return settled.kind === 'late' ? 'no result in time' : brief(settled.thrown);
}

function repetition(tool: CompiledTool, { callId, status }: EffectRecord, messages: Messages): string {
  return status === 'succeeded' ? messages.done(tool.name, callId) : messages.perhapsDone(tool.name, callId);
}

/** The form of the input in one line: `{"service": string, "limit"?: number}`. */
function exampleOf(schema: CompiledTool['schema']['jsonSchema']): string | null {
  const properties = schema?.properties;
  if (schema === null || typeof properties !== 'object' || properties === null) return null;
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const members = Object.entries(properties).map(
    ([key, value]) => `${JSON.stringify(key)}${required.includes(key) ? '' : '?'}: ${typeName(value)}`,
  );
  return `{${members.join(', ')}}`;
}

function typeName(schema: JsonValue): string {
  if (typeof schema !== 'object' || schema === null || !('type' in schema)) return 'any';
  return typeof schema.type === 'string' ? schema.type : 'any';
}
