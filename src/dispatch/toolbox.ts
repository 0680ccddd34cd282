/** The user's tools, read once when the agent is made: checked, and put into the one form that gates and calls use. */
import { AgentError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { readCount } from '../core/limits.ts';
import type { AnyTool, ApprovalOptions, ProbeOptions, ToolCallOptions, ToolRecord } from '../core/tool.ts';
import type { Effect, Rule } from '../core/verdict.ts';
import { mayRunAgain } from './call-outcome.ts';
import { createRateWindow, type RateWindow } from './rate-limit.ts';
import { type CompiledSchema, compileSchema } from './schema.ts';

export interface CompiledTool {
  readonly name: string;
  readonly description: string;
  readonly schema: CompiledSchema;
  readonly effect: Effect;
  readonly approval: Asks;
  readonly endsRun: boolean;
  /** Of its results; null where it has none. */
  readonly outputSchema: CompiledSchema | null;
  /** The tool's own mark of a result that holds nothing. Foreign code. */
  readonly empty: ((output: unknown) => unknown) | null;
  /** The tool's own answer to whether a call happened; null where it has none. Foreign code. */
  readonly probe: ((toolCallId: string, options: ProbeOptions<unknown>) => unknown) | null;
  /** It only says what it would have done: that is no result to be checked. */
  readonly isDry: boolean;
  readonly timeoutMs: number;
  /** How often a try that failed is followed by another; 0 where the call might then take effect twice. */
  readonly retries: number;
  /** Null where there is no limit of its own. */
  readonly maxCallsPerRun: number | null;
  /** Null where it has no rate limit. Remembers its starts, for all runs of the agent. */
  readonly window: RateWindow | null;
  /** Calls the user's function. Foreign code: may throw, hang, and return anything. */
  execute(input: unknown, options: ToolCallOptions): unknown;
}

/** Whether a person is asked: always, never, or by a function of the user over the input; and what says so. */
export interface Asks {
  readonly asks: boolean | ((input: unknown, options: ApprovalOptions) => unknown);
  readonly rule: Exclude<Rule, 'policy'>;
}

/** By name. A Map, so that a tool called `constructor` is a tool like any other. */
export type Toolbox = ReadonlyMap<string, CompiledTool>;

/** Throws AgentError that names the tool and what is wrong with it. */
export function compileTools(tools: ToolRecord, defaultTimeoutMs: number): Toolbox {
  if (typeof tools !== 'object' || tools === null || Array.isArray(tools))
    throw new AgentError('invalid_option', 'tools is not a record.', {
      hint: 'Give an object: { name: tool({ … }) }.',
    });
  return new Map(Object.entries(tools).map(([name, tool]) => [name, compileTool(name, tool, defaultTimeoutMs)]));
}

function compileTool(name: string, tool: AnyTool, defaultTimeoutMs: number): CompiledTool {
  if (typeof tool !== 'object' || tool === null) throw refused(name, 'is not an object', 'Make it with tool({ … }).');
  if (name.trim() === '' || name !== name.trim() || /[\r\n]/.test(name))
    throw refused(name, 'has a name that no model could write', 'Use a name without line breaks or outer spaces.');
  checkMarks(name, tool);
  const { execute } = tool;
  const effect = effectOf(name, tool);
  const retries = tool.retries === undefined ? 0 : readCount(`tools.${name}.retries`, tool.retries);
  if (typeof execute !== 'function')
    throw refused(name, 'has no execute function', 'A tool that is run elsewhere cannot be called by this loop.');
  return {
    name,
    description: typeof tool.description === 'string' ? tool.description : '',
    schema: compileSchema(`tools.${name}.inputSchema`, tool.inputSchema),
    effect,
    approval: asksOf(tool),
    endsRun: tool.endsRun === true,
    outputSchema:
      tool.outputSchema === undefined ? null : compileSchema(`tools.${name}.outputSchema`, tool.outputSchema),
    empty: emptyOf(name, tool),
    probe: probeOf(name, tool),
    isDry: false,
    timeoutMs: tool.timeoutMs === undefined ? defaultTimeoutMs : readCount(`tools.${name}.timeoutMs`, tool.timeoutMs),
    retries: mayRunAgain({ effect }) ? retries : 0,
    maxCallsPerRun:
      tool.maxCallsPerRun === undefined ? null : readCount(`tools.${name}.maxCallsPerRun`, tool.maxCallsPerRun),
    window: windowOf(name, tool),
    execute: (input, options) => Reflect.apply(execute, tool, [input, options]),
  };
}

/** A mark that is no boolean would be taken for none: nobody would be asked about a side effect. */
function checkMarks(name: string, tool: AnyTool): void {
  for (const mark of ['readOnly', 'sideEffect', 'idempotent', 'endsRun'] as const)
    if (tool[mark] !== undefined && typeof tool[mark] !== 'boolean')
      throw refused(name, `has a mark ${mark} that is neither true nor false`, `${mark} is true, false or left out.`);
  if (!['undefined', 'boolean', 'function'].includes(typeof (tool.needsApproval ?? undefined)))
    throw refused(name, 'has a needsApproval that is no boolean and no function', 'Such as true, or (input) => true.');
}

function effectOf(name: string, { readOnly, sideEffect, idempotent }: AnyTool): Effect {
  if (readOnly === true && sideEffect === true)
    throw refused(name, 'is marked readOnly and sideEffect', 'It can be one of them.');
  if (readOnly === true) return 'readOnly';
  if (idempotent === true) return 'idempotent';
  return sideEffect === true ? 'sideEffect' : 'unmarked';
}

function windowOf(name: string, { rateLimit }: AnyTool): RateWindow | null {
  if (rateLimit === undefined) return null;
  if (typeof rateLimit !== 'object' || rateLimit === null)
    throw refused(name, 'has a rateLimit that is no object', 'Such as { calls: 5, perMs: 1000 }.');
  const calls = readCount(`tools.${name}.rateLimit.calls`, rateLimit.calls);
  const perMs = readCount(`tools.${name}.rateLimit.perMs`, rateLimit.perMs);
  if (calls < 1 || perMs < 1)
    throw refused(name, 'has a rateLimit that lets nothing through', 'calls and perMs are at least 1.');
  return createRateWindow({ calls, perMs });
}

function emptyOf(name: string, { empty }: AnyTool): CompiledTool['empty'] {
  if (empty === undefined) return null;
  if (typeof empty !== 'function')
    throw refused(name, 'has an empty mark that is no function', 'Such as (output) => output.length === 0.');
  return (output) => Reflect.apply(empty, undefined, [output]);
}

function probeOf(name: string, tool: AnyTool): CompiledTool['probe'] {
  const { probe } = tool;
  if (probe === undefined) return null;
  if (typeof probe !== 'function')
    throw refused(name, 'has a probe that is no function', 'It says of a call whether it happened: docs/tools.md.');
  return (toolCallId, options) => Reflect.apply(probe, tool, [toolCallId, options]);
}

/** A side effect asks unless the tool says that it need not. */
function asksOf(tool: AnyTool): Asks {
  const { needsApproval, sideEffect } = tool;
  if (needsApproval === undefined || needsApproval === null) return { asks: sideEffect === true, rule: 'mark' };
  const asks: Asks['asks'] =
    typeof needsApproval === 'function'
      ? (input, options) => Reflect.apply(needsApproval, tool, [input, options])
      : needsApproval;
  return { asks, rule: 'needsApproval' };
}

/** The tool as the model is told of it. */
export function describeTool({ name, description, schema }: CompiledTool): {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject | null;
} {
  return { name, description, inputSchema: schema.jsonSchema };
}

function refused(name: string, what: string, hint: string): AgentError {
  return new AgentError('invalid_option', `The tool ${JSON.stringify(name)} ${what}.`, { hint });
}
