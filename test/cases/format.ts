/**
 * A case as data: what is given, what is expected. Every object is strict, so that a field nobody reads is a failure and
 * not a silent agreement. What the fields mean stands beside the code that reads them.
 */
import { z } from 'zod';
import { issuesOf } from './issues.ts';

const count = z.number().int().nonnegative();
const text = z.string();
const texts = z.array(text);
const record = <Value extends z.ZodType>(value: Value) => z.record(text, value);

const usage = z.strictObject({
  inputTokens: count.optional(),
  outputTokens: count.optional(),
  input: count.optional(),
  output: count.optional(),
  prompt: count.optional(),
  completion: count.optional(),
  prompt_tokens: count.optional(),
  completion_tokens: count.optional(),
  total: count.optional(),
  total_tokens: count.optional(),
});

/** One reply of the model in full. */
const wholeReply = z.strictObject({
  content: text.nullable().optional(),
  reasoning: text.nullable().optional(),
  toolCalls: z.array(z.strictObject({ id: text, name: text, arguments: text })).optional(),
  finish: text.optional(),
  usage: usage.nullable().optional(),
});
const chunkedReply = z.strictObject({
  chunks: texts,
  reasoning: text.optional(),
  finish: text.optional(),
  usage: usage.nullable().optional(),
});
const plainReply = z.union([text, wholeReply, chunkedReply]);
const requestCheck = z.strictObject({
  hasParam: z.union([text, texts]).optional(),
  lacksParam: z.union([text, texts]).optional(),
  contains: z.union([text, texts]).optional(),
  lacks: z.union([text, texts]).optional(),
  messages: count.optional(),
  roles: texts.optional(),
});
const reply = z.union([
  plainReply,
  z.strictObject({ template: text, from: z.number().int(), count }),
  z.strictObject({
    ifRequest: z.union([text, requestCheck]),
    // biome-ignore lint/suspicious/noThenProperty: the format calls it so, and nobody awaits a schema
    then: plainReply,
    else: plainReply.optional(),
    repeat: count.optional(),
  }),
]);

const httpAnswer = z.strictObject({
  status: count.optional(),
  headers: record(text).optional(),
  body: z.unknown().optional(),
  chunks: z.array(z.union([text, z.strictObject({ hex: text })])).optional(),
  end: z.enum(['close', 'reset', 'hang']).optional(),
  delayMs: count.optional(),
});

const tool = z.strictObject({
  name: text,
  behaviour: text,
  value: z.unknown().optional(),
  sideEffect: z.boolean().optional(),
  timeoutMs: count.optional(),
  input: z.literal('string').optional(),
  schema: record(text).optional(),
  schemaFrom: texts.optional(),
  approval: text.optional(),
  maxCallsPerRun: count.optional(),
  offered: z.boolean().optional(),
  endsRun: z.boolean().optional(),
  retries: count.optional(),
  sequential: z.boolean().optional(),
  honoursSignal: z.boolean().optional(),
  source: text.optional(),
});

const budget = z.strictObject({
  maxSteps: count.optional(),
  maxViolations: count.optional(),
  maxToolErrors: count.optional(),
  maxToolCalls: count.optional(),
  tokens: count.optional(),
  cost: z.number().optional(),
  wallClockMs: count.optional(),
  maxObservationChars: count.optional(),
  contextTokens: count.optional(),
  loop: z.strictObject({ sameCall: count.optional(), cycle: count.optional() }).optional(),
  loopGuard: z.literal('off').optional(),
  historyKept: count.optional(),
});

const event = z.strictObject({
  at: text,
  do: text,
  tool: text.optional(),
  call: text.optional(),
  reason: text.optional(),
  path: text.optional(),
  set: z.unknown().optional(),
  approvedArgs: z.unknown().optional(),
  note: text.optional(),
});

const setup = z.strictObject({
  kind: text,
  tools: count.optional(),
  schemaFields: count.optional(),
  over: text.optional(),
  import: text.optional(),
  minify: z.boolean().optional(),
});

const given = z.strictObject({
  replies: z.array(reply).optional(),
  http: z.array(httpAnswer).optional(),
  protocol: z.enum(['text', 'native']).optional(),
  tools: z.array(tool),
  budget,
  events: z.array(event).optional(),
  settings: record(z.unknown()).optional(),
  secrets: texts.optional(),
  inspector: z.strictObject({ on: z.boolean() }).optional(),
  trace: z.strictObject({ maxEvents: count.optional() }).optional(),
  store: z.strictObject({ writeDelayMs: count.optional() }).optional(),
  soak: z.strictObject({ runs: count, gcBetween: count.optional() }).optional(),
  setup: setup.optional(),
  stream: z.boolean().optional(),
});

const result = z.strictObject({
  stepsAttached: count.optional(),
  toolCallCount: count.optional(),
  unknownOutcome: texts.optional(),
  hasSnapshot: z.boolean().optional(),
  errorCode: text.optional(),
  partial: text.nullable().optional(),
});
const answer = z.union([text, z.strictObject({ contains: texts })]);
const ending = {
  outcome: z.enum(['final', 'error']).nullable().optional(),
  stopReason: text.nullable().optional(),
  stopReasonAnyOf: z.array(text.nullable()).optional(),
  answer: answer.optional(),
  phase: z.enum(['setup', 'restore']).optional(),
  result: result.optional(),
  errorContains: texts.optional(),
  note: text.optional(),
};
const calls = z.array(z.strictObject({ name: text, args: z.unknown().optional(), times: count.optional() }));

const expected = z.strictObject({
  ...ending,
  orOutcome: z.strictObject(ending).optional(),
  phase1: z.strictObject(ending).optional(),
  secondResume: z.strictObject(ending).optional(),
  toolCalls: calls.optional(),
  toolCallsAnyOf: z.array(calls).optional(),
  toolCallCountAnyOf: z.array(count).optional(),
  'observations contain': texts.optional(),
  'must not': z.array(z.looseObject({ code: text })),
  modelCalls: count.optional(),
  modelCallsAnyOf: z.array(count).optional(),
  httpRequests: count.optional(),
  requests: record(requestCheck).optional(),
  usage: z
    .strictObject({
      total: count.optional(),
      estimated: z.boolean().optional(),
      toolCalls: count.optional(),
      steps: count.optional(),
      input: count.optional(),
      output: count.optional(),
      overrun: count.optional(),
    })
    .optional(),
  events: record(count).optional(),
  trace: z
    .strictObject({
      contains: texts.optional(),
      lacks: texts.optional(),
      droppedCountReported: z.boolean().optional(),
      keepsFirstAndLast: z.boolean().optional(),
    })
    .optional(),
  signalAborted: z.union([z.boolean(), text, texts]).optional(),
  observationKeeps: z.array(z.enum(['head', 'tail'])).optional(),
  callKeyStable: z.boolean().optional(),
  observeMsAfterEnd: count.optional(),
});

const caseShape = z.strictObject({ id: text, theme: text, given, expect: expected, why: text.optional() });

export type Case = z.infer<typeof caseShape>;
export type Given = Case['given'];
export type Expected = Case['expect'];
export type ExpectedEnding = NonNullable<Expected['orOutcome']>;
export type ExpectedResult = z.infer<typeof result>;
export type ExpectedCalls = z.infer<typeof calls>;
export type GivenTool = z.infer<typeof tool>;
export type GivenReply = z.infer<typeof reply>;
export type PlainReply = z.infer<typeof plainReply>;
export type GivenUsage = z.infer<typeof usage>;
export type GivenAnswer = z.infer<typeof httpAnswer>;
export type GivenEvent = z.infer<typeof event>;
export type RequestCheck = z.infer<typeof requestCheck>;

/** A line of the file: a case, or what is wrong with it. */
export type Entry =
  | { readonly id: string; readonly case: Case }
  | { readonly id: string; readonly case: null; readonly problem: string };

/** Every line of a file in its order; empty lines are none. An id that comes again is a problem of its own. */
export function readCases(file: string): readonly Entry[] {
  const seen = new Set<string>();
  return file
    .split('\n')
    .map((line, index) => ({ line, place: `line ${index + 1}` }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, place }) => {
      const entry = readLine(line, place);
      const again = seen.has(entry.id);
      seen.add(entry.id);
      return again ? { id: entry.id, case: null, problem: `${place}: the id ${entry.id} was used before` } : entry;
    });
}

function readLine(line: string, place: string): Entry {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (thrown) {
    return { id: place, case: null, problem: `is not JSON: ${thrown instanceof Error ? thrown.message : thrown}` };
  }
  const named = z.looseObject({ id: text }).safeParse(value);
  const id = named.success ? named.data.id : place;
  const read = caseShape.safeParse(value);
  return read.success ? { id, case: read.data } : { id, case: null, problem: `${place}: ${issuesOf(read.error)}` };
}
