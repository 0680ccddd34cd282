/** The tools of a case, as a user would write them: a record of tools whose calls are written down. */

import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { type AnyTool, type InputSchema, type ToolCallOptions, type ToolRecord, tool } from '../../src/index.ts';
import { joinTools } from '../../tools/join-tools.ts';
import { behave, type Doing } from './behaviours.ts';
import type { CaseClock } from './case-clock.ts';
import type { Case, GivenTool } from './format.ts';
import type { Seen } from './seen.ts';

/** One process of a case: after a crash nothing of it is heard of any more. */
export interface Life {
  alive: boolean;
  readonly clock: CaseClock;
  readonly onToolStart: (tool: string) => void;
}

/**
 * A tool that is not offered exists, and the run does not have it. Those of several sources are joined by the library, when
 * the case is set up: it may refuse them.
 */
export function toolsOf(one: Case, seen: Seen, life: Life, schemaFrom: string | null): () => ToolRecord {
  const offered = one.given.tools.filter((given) => given.offered !== false);
  const record = (some: readonly GivenTool[]) =>
    Object.fromEntries(some.map((given) => [given.name, toolOf(given, one, seen, life, schemaFrom)]));
  const sources = [...new Set(offered.flatMap(({ source }) => source ?? []))];
  const tools = record(offered);
  if (sources.length === 0) return () => tools;
  const bySource = sources.map((name) => [name, record(offered.filter(({ source }) => source === name))] as const);
  return () => joinTools(Object.fromEntries(bySource));
}

function toolOf(given: GivenTool, one: Case, seen: Seen, life: Life, schemaFrom: string | null): AnyTool {
  const { name, sideEffect, timeoutMs, retries, endsRun, approval, sequential } = given;
  return tool({
    description: `The tool ${name}.`,
    inputSchema: schemaOf(given, fieldsOf(given, one), schemaFrom),
    execute: (input: unknown, options: ToolCallOptions) => run(given, input, options, seen, life),
    // Tools that only read may run side by side; what must run alone is left without that mark.
    readOnly: sideEffect === false && sequential !== true,
    sideEffect: sideEffect === true,
    needsApproval: needsApproval(approval, seen),
    endsRun: endsRun ?? false,
    timeoutMs,
    retries,
  });
}

function needsApproval(approval: string | undefined, seen: Seen): boolean | (() => boolean) {
  if (approval === 'rule')
    return () => {
      seen.approvalRuleCalls++;
      return true;
    };
  return approval === 'required';
}

export const knownApprovals: readonly string[] = ['required', 'never', 'rule'];

function run(given: GivenTool, input: unknown, options: ToolCallOptions, seen: Seen, life: Life): unknown {
  if (!life.alive) return new Promise(() => {});
  const { name, source, behaviour, value, honoursSignal = false } = given;
  const before = seen.calls.filter((call) => call.tool === name).length;
  const { toolCallId, idempotencyKey } = options;
  seen.calls.push({
    tool: name,
    source: source ?? null,
    input: structuredClone(input),
    toolCallId,
    idempotencyKey,
    atMs: seen.nowMs(),
    // Reading the signal makes it, so that it is read only when all is over.
    isAborted: () => options.abortSignal.aborted,
  });
  life.onToolStart(name);
  const doing: Doing = {
    setTimer: (delayMs, fire) => {
      seen.ownTimers++;
      return life.clock.setTimer(delayMs, () => {
        seen.ownTimers--;
        if (life.alive) fire();
      });
    },
    signal: () => options.abortSignal,
    honoursSignal,
    before,
    commit: () => {
      if (given.sideEffect === true && life.alive) seen.effects.push({ tool: name, atMs: seen.nowMs() });
    },
  };
  return behave(behaviour, value, doing);
}

type Fields = { readonly [field: string]: string };

/** A case that only says where its schemas come from takes the fields from the input it expects to arrive. */
function fieldsOf({ name, schema, schemaFrom }: GivenTool, { expect }: Case): Fields | null {
  if (schema !== undefined || schemaFrom === undefined) return schema ?? null;
  const args = expect.toolCalls?.find((call) => call.name === name)?.args;
  if (typeof args !== 'object' || args === null) throw new Error(`schemaFrom of ${name} needs a schema`);
  return Object.fromEntries(Object.entries(args).map(([field, value]) => [field, typeof value]));
}

function schemaOf(given: GivenTool, fields: Fields | null, from: string | null): InputSchema {
  if (given.input === 'string') return { type: 'string' } as const;
  if (fields === null) return { type: 'object' } as const;
  const make = schemaMakers.get(from ?? 'plain JSON schema');
  if (make === undefined) throw new Error(`a schema from ${from} is unknown`);
  return make(fields);
}

const schemaMakers: ReadonlyMap<string, (fields: Fields) => InputSchema> = new Map<
  string,
  (fields: Fields) => InputSchema
>([
  ['plain JSON schema', plainSchema],
  ['library v4', (fields) => z.object(mapped(fields, zod4Type))],
  ['library v3', (fields) => z3.object(mapped(fields, zod3Type))],
]);

function plainSchema(fields: Fields): InputSchema {
  return {
    type: 'object',
    properties: mapped(fields, (type) => (type === 'any' ? {} : { type })),
    required: Object.keys(fields),
    additionalProperties: false,
  };
}

function mapped<Value>(fields: Fields, make: (type: string) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).map(([field, type]) => [field, make(type)]));
}

function zod4Type(type: string): z.ZodType {
  const types = new Map<string, z.ZodType>([
    ['string', z.string()],
    ['number', z.number()],
    ['boolean', z.boolean()],
    ['array', z.array(z.unknown())],
    ['object', z.record(z.string(), z.unknown())],
  ]);
  return types.get(type) ?? z.unknown();
}

function zod3Type(type: string): z3.ZodTypeAny {
  const types = new Map<string, z3.ZodTypeAny>([
    ['string', z3.string()],
    ['number', z3.number()],
    ['boolean', z3.boolean()],
    ['array', z3.array(z3.unknown())],
    ['object', z3.record(z3.unknown())],
  ]);
  return types.get(type) ?? z3.unknown();
}
