/**
 * The parts of a line of a journal as schemas. The only file of the stores that imports zod. Members that are not known are
 * kept, so that what a later version notes is not lost. The fields of a checkpoint's snapshot that no store reads are
 * checked by `resume`. Pure.
 */
import { z } from 'zod';
import type { ErrorRecord } from '../core/events.ts';
import type { JsonValue } from '../core/json.ts';
import type { ModelFailure } from '../core/model.ts';
import type { Policy } from '../core/policy.ts';
import type { CallStatus, Snapshot } from '../core/snapshot.ts';
import { stopReasons, violationCodes } from '../core/stop-reasons.ts';
import type { TraceEvent } from '../core/trace.ts';
import type { Effect, Gate, Rule } from '../core/verdict.ts';

export type Schema<Value> = z.ZodType<Value>;
export const { looseObject: members, literal: exactly, array: list, enum: oneOf, union: either } = z;

export const text = z.string();
export const flag = z.boolean();
export const count = z.int().min(0);
/** Milliseconds. */
export const time = z.number();
/** A member that must be there. What was read from a store is JSON. */
export const json = z.custom<JsonValue | null>((value) => value !== undefined, { error: 'is missing' });

/** Every member of a union by its own name: one that is missing is an error of the type. */
const words = <Name extends string>(names: { readonly [One in Name]: One }) => z.enum(names);

export const effect = words<Effect>({
  readOnly: 'readOnly',
  idempotent: 'idempotent',
  unmarked: 'unmarked',
  sideEffect: 'sideEffect',
});
export const gate = words<Gate>({
  tool: 'tool',
  input: 'input',
  duplicate: 'duplicate',
  required: 'required',
  callLimit: 'callLimit',
  rateLimit: 'rateLimit',
  policy: 'policy',
  approval: 'approval',
});
export const status = words<CallStatus>({
  read: 'read',
  ready: 'ready',
  asking: 'asking',
  started: 'started',
  succeeded: 'succeeded',
  failed: 'failed',
  unknown: 'unknown',
  refused: 'refused',
});
export const failure = words<ModelFailure>({
  connection: 'connection',
  timeout: 'timeout',
  rate_limited: 'rate_limited',
  refused: 'refused',
  unreadable: 'unreadable',
  broke_off: 'broke_off',
  aborted: 'aborted',
  contract: 'contract',
});
const rule = words<Rule>({ policy: 'policy', needsApproval: 'needsApproval', mark: 'mark' });
export const policy = z
  .union([
    words<Extract<Policy, string>>({ readOnly: 'readOnly', dryRun: 'dryRun', ask: 'ask', all: 'all' }),
    z.looseObject({ allow: z.array(text) }),
  ])
  .nullable();

export const tokens = z.looseObject({ inputTokens: count, outputTokens: count, estimated: flag });
export const spent = z.looseObject({ steps: count, toolCalls: count, tokens });
export const limits = z.looseObject({
  maxSteps: count,
  maxTokens: count,
  wallClockMs: time,
  maxToolCalls: count,
  maxViolations: count,
  maxToolErrors: count,
  loopGuard: z.looseObject({ warnAt: count, endAt: count, cycleMax: count }).nullable(),
  maxParallel: count,
  maxEmptyResults: count.nullable(),
  modelRetries: count,
  checksAnswer: flag,
});
export const callState = z.looseObject({
  callId: text,
  tool: text,
  input: json,
  repaired: flag,
  status,
  effect,
  endsRun: flag,
  empty: flag,
  key: text,
  resultKey: text,
});
export const error: z.ZodType<ErrorRecord> = z.looseObject({
  name: text,
  message: text,
  stack: text.nullable(),
  cause: z.lazy(() => error).nullable(),
});
export const callRef = z.looseObject({ toolCallId: text, tool: text, input: json });
export const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'user']), content: text }),
  z.looseObject({
    role: z.literal('assistant'),
    content: text,
    calls: z.array(callRef).exactOptional(),
    providerData: json.exactOptional(),
  }),
  z.looseObject({
    role: z.literal('tool'),
    content: text,
    toolCallId: text,
    isError: z.literal(true).exactOptional(),
  }),
]);
const state = z.union([text, z.record(text, text)]);

/** Contents of a line that are kept elsewhere (apart.ts). */
export const apart = z.looseObject({
  sha256: text.regex(/^[0-9a-f]{64}$/),
  bytes: count,
  paths: z.array(z.array(text).min(1)),
});
export const place = {
  sequence: count,
  state,
  wallMs: time,
  ignored: flag.exactOptional(),
  apart: apart.exactOptional(),
};
export const outside = { ...place, atMs: time };
export const ofStep = { ...outside, step: count };
export const ofCall = { ...ofStep, callId: text };
export const ofReply = { ...ofStep, tokens, attempt: count.exactOptional() };
export const ending = { ...outside, waiting: z.array(text).exactOptional(), spent: spent.exactOptional() };
export const readCalls = z.array(z.looseObject({ tool: text, input: json, repaired: flag.exactOptional() }));
export const violation = z.enum(violationCodes);

export const verdict = z.looseObject({
  callId: text,
  pass: z.enum(['run', 'ask', 'refuse']),
  input: json,
  observation: text.nullable(),
  effect,
  endsRun: flag,
  key: text,
  gate: gate.exactOptional(),
  rule: rule.exactOptional(),
  coerced: z.array(text).exactOptional(),
});

/** As far as a store reads it. */
const snapshotShape = z.looseObject({
  format: z.literal('fuseloop.snapshot/1'),
  runId: text,
  task: text,
  state,
  startedAtMs: time,
  sequence: count,
  context: z.looseObject({
    stopReason: z.enum(stopReasons).exclude(['suspended']).nullable(),
    calls: z.array(z.looseObject({ callId: text, tool: text, input: json, status })),
  }),
  history: z.looseObject({ messages: z.array(message), steps: z.array(z.looseObject({})) }),
});
export const snapshot = z.custom<Snapshot>().check(({ value, issues }) => {
  for (const { path, message } of snapshotShape.safeParse(value).error?.issues ?? [])
    issues.push({ code: 'custom', input: value, path, message });
});

export const traceEvent = z.custom<TraceEvent>(
  (value) => z.looseObject({ ...place, type: text }).safeParse(value).success,
  {
    error: 'is no event of a trace',
  },
);

/** The value stays as it is: a copy would have its members in another order. */
export function fits<Value>(schema: Schema<Value>, value: unknown): value is Value {
  return schema.safeParse(value).success;
}

/** The first thing that is wrong, with the path to it. */
export function problemOf(schema: Schema<unknown>, value: unknown): string {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  return `${issue?.path.join('.') || 'the line'}: ${issue?.message ?? 'is no event'}`;
}
