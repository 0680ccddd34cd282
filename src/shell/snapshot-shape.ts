/**
 * What a snapshot looks like, field by field. Written by hand because the core loads no schema library. Pure; a problem is
 * a sentence that names the field, what it is and what it may be.
 */
import { isJsonObject } from '../core/json.ts';
import { stopReasons, violationCodes } from '../core/stop-reasons.ts';
import {
  count,
  duration,
  flag,
  instant,
  json,
  limit,
  list,
  members,
  named,
  nullOr,
  of,
  type Shape,
  someText,
  text,
  word,
} from './shape.ts';

/** Its own members, and what may be missing. */
const withOptional =
  (shape: Shape, missing: object): Shape =>
  (value, field) =>
    shape(isJsonObject(value) ? { ...missing, ...value } : value, field);

const counts = { inputTokens: count, outputTokens: count, estimated: flag };
const tokens = members(counts);
const callTokens = withOptional(members({ ...counts, cachedInputTokens: count }), { cachedInputTokens: 0 });
const violation = word(...violationCodes, 'answer_rejected');

const loopGuard: Shape = (value, field) =>
  members({ warnAt: limit, endAt: limit, cycleMax: limit })(value, field) ??
  of(isLoopGuard, 'warnAt and endAt from 2, cycleMax from 1, cycleMax × endAt up to 1,000')(value, field);

const limits = members({
  maxSteps: limit,
  maxTokens: limit,
  wallClockMs: limit,
  maxToolCalls: limit,
  maxViolations: limit,
  maxToolErrors: limit,
  loopGuard: nullOr(loopGuard),
  maxParallel: of(isFromOne, 'a whole number from 1'),
  maxEmptyResults: nullOr(of(isFromOne, 'a whole number from 1')),
  modelRetries: limit,
  checksAnswer: flag,
});

const statuses = ['read', 'ready', 'asking', 'started', 'succeeded', 'failed', 'unknown', 'refused'] as const;

const call = members({
  callId: someText,
  tool: text,
  input: json,
  repaired: flag,
  status: word(...statuses),
  effect: word('readOnly', 'idempotent', 'unmarked', 'sideEffect'),
  endsRun: flag,
  empty: flag,
  key: text,
  resultKey: text,
});

const context = members({
  limits,
  atMs: duration,
  step: count,
  attempt: of(isFromOne, 'a whole number from 1'),
  askAtMs: duration,
  nestedSteps: count,
  toolCalls: count,
  tokens,
  violations: count,
  violationsInRow: count,
  toolErrorsInRow: count,
  emptyInRow: count,
  violation: nullOr(violation),
  calls: list(call),
  answer: nullOr(text),
  proposed: nullOr(text),
  approvalUntilMs: nullOr(instant),
  effects: list(
    members({ callId: someText, tool: text, input: json, key: text, status: word('succeeded', 'unknown') }),
  ),
  window: list(text),
  loop: word('none', 'warn', 'end'),
  stopReason: nullOr(word(...stopReasons)),
  failure: nullOr(members({ message: text, hint: text })),
});

const notes = { observation: nullOr(text), output: json, startedAtMs: nullOr(duration), endedAtMs: nullOr(duration) };

const stepCall = members({
  toolCallId: someText,
  tool: text,
  input: json,
  repaired: flag,
  status: word('succeeded', 'failed', 'unknown', 'refused', 'cancelled', 'waiting'),
  empty: flag,
  ...notes,
});

const step = members({
  number: count,
  thought: nullOr(text),
  calls: list(stepCall),
  answer: nullOr(text),
  violation: nullOr(members({ code: violation, hint: text })),
  tokens: callTokens,
  startedAtMs: duration,
  endedAtMs: duration,
});

const openMembers = members({
  number: count,
  startedAtMs: duration,
  thought: nullOr(text),
  reply: nullOr(text),
  hint: nullOr(text),
  tokens: callTokens,
  providerData: json,
  notes: named(members(notes)),
});
const openStep = withOptional(openMembers, { providerData: null });

const messageCall = members({ toolCallId: someText, tool: someText, input: json });

const spoken: Readonly<Record<string, Shape>> = {
  system: members({ role: word('system'), content: text }),
  user: members({ role: word('user'), content: text }),
  assistant: withOptional(
    members({ role: word('assistant'), content: text, calls: list(messageCall), providerData: json }),
    { calls: [], providerData: null },
  ),
  tool: withOptional(members({ role: word('tool'), content: text, toolCallId: someText, isError: flag }), {
    isError: false,
  }),
};

const message: Shape = (value, field) => {
  const role = isJsonObject(value) ? value.role : undefined;
  const shape = typeof role === 'string' && Object.hasOwn(spoken, role) ? spoken[role] : undefined;
  if (shape === undefined) return members({ role: word(...Object.keys(spoken)), content: text })(value, field);
  return shape(value, field);
};

const spent = members({ steps: count, toolCalls: count, tokens });

const documentMembers = members({
  format: word('fuseloop.snapshot/1'),
  machineHash: someText,
  runId: someText,
  task: someText,
  tools: list(someText),
  state: of((value) => typeof value === 'string' || isJsonObject(value), 'a state of the machine'),
  context,
  uncharged: nullOr(spent),
  life: nullOr(text),
  retaken: limit,
  history: members({
    messages: list(message),
    steps: list(step),
    open: nullOr(openStep),
  }),
  atMs: duration,
  startedAtMs: instant,
  sequence: limit,
  modelCalls: limit,
});

const document = withOptional(documentMembers, { uncharged: null, life: null, retaken: 0 });

/** What is wrong with the fields of a document that should be a snapshot; null where nothing is. */
export function snapshotProblem(value: unknown): string | null {
  return document(value, '');
}

export function contextProblem(value: unknown): string | null {
  return context(value, 'context');
}

export function limitsProblem(value: unknown): string | null {
  return limits(value, 'limits');
}

function isFromOne(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

function isLoopGuard(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const [warnAt, endAt, cycleMax] = [Number(value.warnAt), Number(value.endAt), Number(value.cycleMax)];
  return warnAt >= 2 && endAt >= 2 && cycleMax >= 1 && cycleMax * endAt <= 1_000;
}
