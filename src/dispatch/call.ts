/**
 * Runs one call that passed the gates. It never throws and gives exactly one result; thrown, late, refused and cancelled
 * calls all leave through here.
 */

import type { CallResult } from '../core/events.ts';
import { fingerprint } from '../core/fingerprint.ts';
import type { JsonValue } from '../core/json.ts';
import { messageOf } from '../core/message-of.ts';
import type { CallState } from '../core/snapshot.ts';
import type { ToolCallOptions } from '../core/tool.ts';
import type { Settled, Within } from '../core/within.ts';
import { brief } from './brief.ts';
import { copyInput } from './copy-input.ts';
import { type Cutter, cut } from './cut.ts';
import type { Messages } from './messages.ts';
import { render } from './observation.ts';
import type { CompiledTool, Toolbox } from './toolbox.ts';

export interface CallOptions {
  readonly toolbox: Toolbox;
  readonly messages: Messages;
  readonly within: Within;
  readonly hookMs: number;
  readonly cutter: Cutter;
  /** What the gates made of the input, by call id; missing after a restore, and then read again. */
  readonly parsed: ReadonlyMap<string, unknown>;
  readonly toolCallOptions: ToolCallOptions;
  /** Aborts the signal in `toolCallOptions`. */
  readonly abort: (why: string) => void;
}

/** In characters. A larger output is known by its observation alone: steps and journal are kept in memory. */
const largestOutput = 100_000;

export interface CallOutcome {
  readonly result: CallResult;
  readonly observation: string;
  readonly output: JsonValue | null;
  readonly resultKey: string;
}

/**
 * Returns what cancels it: the signal is aborted. A result that comes after the time-out goes to `late`, for the record.
 */
export function runCall(
  call: CallState,
  options: CallOptions,
  done: (outcome: CallOutcome) => void,
  late: (outcome: CallOutcome) => void,
): () => void {
  const tool = options.toolbox.get(call.tool);
  if (tool === undefined) {
    done(failed(options.messages.unknownTool(call.tool.slice(0, 100), null, [...options.toolbox.keys()])));
    return () => {};
  }
  let cancelExecute = () => {};
  const cancelInput = parsedInput(call, tool, options, (parsed) => {
    if (!parsed.ok) return done(failed(parsed.problem));
    cancelExecute = execute(tool, parsed.input, options, done, late);
  });
  return () => {
    options.abort('The run no longer wants this result.');
    cancelInput();
    cancelExecute();
  };
}

/** What is left of a call that had been started when the run was interrupted, and must not be started again. */
export function interruptedCall(call: CallState, messages: Messages): CallOutcome {
  const observation = messages.interrupted(call.tool);
  return { result: 'unknown', observation, output: null, resultKey: 'unknown' };
}

function execute(
  tool: CompiledTool,
  input: unknown,
  options: CallOptions,
  done: (outcome: CallOutcome) => void,
  late: (outcome: CallOutcome) => void,
): () => void {
  return options.within(
    tool.timeoutMs,
    () => tool.execute(input, options.toolCallOptions),
    (settled) => {
      if (settled.kind === 'late') options.abort(`${tool.name} took longer than ${tool.timeoutMs} ms.`);
      done(outcomeOf(settled, tool, options));
    },
    (settled) => late(outcomeOf(settled, tool, options)),
  );
}

function outcomeOf(settled: Settled<unknown>, tool: CompiledTool, { messages, cutter }: CallOptions): CallOutcome {
  if (settled.kind === 'late') return timedOut(tool, messages);
  if (settled.kind === 'thrown')
    return failed(messages.thrown(tool.name, sentence(cut(messageOf(settled.thrown), cutter, messages)), null));
  const { text, output } = render(settled.value, messages.values);
  return {
    result: 'succeeded',
    observation: text.trim() === '' ? messages.empty : cut(text, cutter, messages),
    output: tool.endsRun || text.length <= largestOutput ? output : null,
    resultKey: fingerprint(comparable(text)),
  };
}

/** A text that is very long is compared by its length, its beginning and its end. */
function comparable(text: string): string {
  if (text.length <= 2 * largestOutput) return text;
  return `${text.length} ${text.slice(0, largestOutput)} ${text.slice(-largestOutput)}`;
}

/** A read that is late failed. Of anything else nobody knows whether it took effect. */
function timedOut({ name, effect, timeoutMs }: CompiledTool, messages: Messages): CallOutcome {
  if (effect === 'readOnly' || effect === 'idempotent') return failed(messages.timedOut(name, timeoutMs));
  return {
    result: 'unknown',
    observation: messages.timedOutUnknown(name, timeoutMs),
    output: null,
    resultKey: 'unknown',
  };
}

function failed(observation: string): CallOutcome {
  return { result: 'failed', observation, output: null, resultKey: fingerprint(observation) };
}

type Parsed = { readonly ok: true; readonly input: unknown } | { readonly ok: false; readonly problem: string };

function parsedInput(
  call: CallState,
  tool: CompiledTool,
  options: CallOptions,
  done: (parsed: Parsed) => void,
): () => void {
  if (options.parsed.has(call.callId)) {
    done({ ok: true, input: options.parsed.get(call.callId) });
    return () => {};
  }
  return options.within(
    options.hookMs,
    () => tool.schema.check(copyInput(call.input ?? {}) ?? {}),
    (checked) => {
      if (checked.kind === 'value' && checked.value.ok) return done({ ok: true, input: checked.value.input });
      const problems = checked.kind === 'value' && !checked.value.ok ? checked.value.problems : [];
      done({ ok: false, problem: options.messages.badInput(tool.name, problems.slice(0, 5).map(brief), null) });
    },
  );
}

function sentence(text: string): string {
  return /[.!?。！？)]$/.test(text.slice(-1)) ? text : `${text}.`;
}
