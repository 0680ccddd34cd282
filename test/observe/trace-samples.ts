/** Each event of a trace: with all that it must have, and with all that it can. A new event or member is missing here by its type. */
import type { CallState } from '../../src/core/snapshot.ts';
import type { TraceEvent } from '../../src/core/trace.ts';
import type { Verdict } from '../../src/core/verdict.ts';

type Of<Type extends TraceEvent['type']> = Extract<TraceEvent, { readonly type: Type }>;
type Samples = {
  readonly [Type in TraceEvent['type']]: {
    readonly least: Of<Type>;
    /** What may be added. */
    readonly more: Required<Omit<Of<Type>, RequiredNames<Of<Type>>>>;
  };
};
type RequiredNames<Event> = {
  [Name in keyof Event]-?: Pick<Event, Name> extends Required<Pick<Event, Name>> ? Name : never;
}[keyof Event];

const place = { sequence: 0, state: { THOUGHT: 'reasoning' }, wallMs: 5 };
const placed = { ignored: true, cut: true } as const;
const ofStep = { ...place, atMs: 1, step: 1 };
const ofCall = { ...ofStep, callId: '1.1' };
const tokens = { inputTokens: 1, outputTokens: 2, estimated: false, cachedInputTokens: 1 };
const ofReply = { ...ofStep, tokens };
const spent = { steps: 1, toolCalls: 1, tokens };
const ending = { ...place, atMs: 1, tokens };
const endingMore = { ...placed, waiting: ['1.1'], spent };
const error = { name: 'Error', message: 'no', stack: null, cause: { name: 'E', message: '', stack: 's', cause: null } };
const call = { tool: 'look', input: { n: 1 } };
const ref = { toolCallId: 'a', ...call };
const limits = {
  ...{ maxSteps: 1, maxTokens: 1, wallClockMs: 1, maxToolCalls: 1, maxViolations: 1, maxToolErrors: 1 },
  ...{ loopGuard: { warnAt: 1, endAt: 2, cycleMax: 3 }, maxParallel: 1, maxEmptyResults: null },
  ...{ modelRetries: 2, checksAnswer: false },
};
const messages = [
  { role: 'system', content: 's' },
  { role: 'assistant', content: 'a', calls: [ref], providerData: [1] },
  { role: 'tool', content: 't', toolCallId: 'a', isError: true },
] as const;
const callState: CallState = {
  ...call,
  callId: '1.1',
  repaired: false,
  status: 'started',
  effect: 'readOnly',
  endsRun: false,
  empty: false,
  key: 'k',
  resultKey: '',
};
const verdict: Verdict = {
  callId: '1.1',
  pass: 'ask',
  input: null,
  observation: null,
  effect: 'unmarked',
  endsRun: false,
  key: 'k',
  gate: 'approval',
  rule: 'mark',
  coerced: ['a: "1" → 1'],
};
const inner: Of<'answer.rejected'> = { ...ofStep, type: 'answer.rejected', hint: 'h' };

export const samples: Samples = {
  'run.started': {
    least: {
      ...{ ...place, type: 'run.started', format: 'fuseloop.trace/1', runId: 'r', task: 't', messages, limits },
      ...{ machineHash: 'm', model: { provider: 'p', name: 'n' }, dialect: 'labelled', tools: ['look'] },
      policy: { allow: ['look'] },
    },
    more: { ...placed, life: 'l', sentTools: [{ name: 'look', description: '', inputSchema: { type: 'object' } }] },
  },
  'run.resumed': {
    least: { ...place, type: 'run.resumed', runId: 'r', limits, policy: 'ask', calls: [callState] },
    more: {
      ...{ ...placed, life: 'l', tools: ['look'], spent, askedAnew: true, atMs: 4 },
      told: [{ callId: '1.1', observation: 'unknown' }],
    },
  },
  'run.ended': {
    least: { ...place, type: 'run.ended', stopReason: 'final' },
    more: { ...placed, waiting: [ref], partial: 'p' },
  },
  'run.aborted': { least: { ...ending, type: 'run.aborted', why: 'w' }, more: endingMore },
  'clock.expired': { least: { ...ending, type: 'clock.expired' }, more: endingMore },
  'store.failed': { least: { ...ending, type: 'store.failed', message: 'm', hint: 'h' }, more: endingMore },
  'machine.failed': { least: { ...place, atMs: 1, type: 'machine.failed', message: 'm' }, more: placed },
  'prompt.sent': {
    least: { ...ofStep, type: 'prompt.sent', promptTokens: 3, messages: 3 },
    more: { ...placed, attempt: 2, added: messages },
  },
  'prompt.refused': { least: { ...ofStep, type: 'prompt.refused', promptTokens: 3 }, more: placed },
  'model.asked': {
    least: { ...ofStep, type: 'model.asked', provider: 'p', name: 'n' },
    more: {
      ...placed,
      attempt: 2,
      insteadOf: { provider: 'p', name: 'o', failure: 'timeout', message: 'm', hint: 'h' },
    },
  },
  'reply.stopped': {
    least: { ...ofReply, type: 'reply.stopped', stop: 'action', thought: 't', calls: [call], text: 'x' },
    more: { ...placed, attempt: 2, savedTokens: 9, reasoning: 'r' },
  },
  'reply.ended': {
    least: {
      ...{ ...ofReply, type: 'reply.ended', thought: null, calls: [{ ...call, repaired: true }], answer: null },
      ...{ violation: 'empty', hint: 'h', text: '', dropped: null },
    },
    more: { ...placed, attempt: 2, dialect: 'json', providerData: { signature: 's' }, reasoning: 'r' },
  },
  'reply.truncated': {
    least: {
      ...ofReply,
      type: 'reply.truncated',
      thought: null,
      partial: 'p',
      violation: 'truncated',
      hint: '',
      text: '',
    },
    more: { ...placed, attempt: 2, reasoning: 'r' },
  },
  'reply.filtered': { least: { ...ofReply, type: 'reply.filtered' }, more: { ...placed, attempt: 2 } },
  'reply.failed': {
    least: { ...ofReply, type: 'reply.failed', failure: 'connection', message: 'm', hint: 'h' },
    more: { ...placed, attempt: 2, retryAtMs: 500 },
  },
  'calls.checked': { least: { ...ofStep, type: 'calls.checked', verdicts: [verdict] }, more: placed },
  'call.nested': { least: { ...ofCall, type: 'call.nested', event: inner }, more: { ...placed, spent } },
  'call.retried': {
    least: { ...ofCall, type: 'call.retried', attempt: 1, waitMs: 5, observation: 'o', error: null },
    more: placed,
  },
  'call.settled': {
    least: {
      ...{ ...ofCall, type: 'call.settled', result: 'failed', observation: 'o', output: null, resultKey: 'k' },
      startedAtMs: 1,
    },
    more: { ...placed, cutFrom: 9_000, timedOut: true, empty: true, notes: ['n'], spent, error },
  },
  'approval.asked': { least: { ...ofStep, type: 'approval.asked', untilMs: 9 }, more: placed },
  'approval.granted': {
    least: { ...ofCall, type: 'approval.granted', input: null, key: 'k', by: 'ann', edited: true },
    more: { ...placed, observation: 'o' },
  },
  'approval.denied': {
    least: { ...ofCall, type: 'approval.denied', observation: 'o', cause: 'person', by: null, why: '' },
    more: { ...placed, input: 1, key: 'k' },
  },
  'answer.accepted': { least: { ...ofStep, type: 'answer.accepted', answer: 'a' }, more: { ...placed, notes: ['n'] } },
  'answer.rejected': { least: inner, more: placed },
  'loop.warned': { least: { ...ofStep, type: 'loop.warned' }, more: placed },
};
