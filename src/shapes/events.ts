/**
 * What each event holds, beside its place, as it stands in a journal and in a trace alike: an event or a member without a schema
 * is an error of the type. Pure.
 */
import type { JournalEvent } from '../core/journal.ts';
import { stopReasons } from '../core/stop-reasons.ts';
import type { TraceEvent } from '../core/trace.ts';
import {
  callRef,
  error,
  limits,
  message,
  type Parts,
  readCalls,
  result,
  spent,
  stops,
  tokens,
  toolDescription,
} from './parts.ts';
import {
  count,
  either,
  exactly,
  flag,
  json,
  list,
  type MembersOf,
  members,
  type Schema,
  text,
  time,
} from './schema.ts';

type Tables = { readonly [Event in JournalEvent as Event['type']]: MembersOf<Event> };
type Table<Start extends string> = { readonly [Type in keyof Tables & `${Start}.${string}`]: Tables[Type] };

const ofStep = { atMs: time, step: count };
const ofCall = { ...ofStep, callId: text };
const ofReply = { ...ofStep, tokens, attempt: count.exactOptional() };
const ofReadReply = { ...ofReply, thought: text.nullable(), reasoning: text.exactOptional() };
const ending = { atMs: time, tokens, waiting: list(text).exactOptional(), spent: spent.exactOptional() };

/** `nested`: an event of a run of an agent that is a tool. */
export function eventMembers(parts: Parts, nested: Schema<TraceEvent>) {
  return {
    ...runEvents(parts),
    ...promptEvents(parts),
    ...replyEvents(parts),
    ...callEvents(parts, nested),
    ...approvalEvents(parts),
    ...otherEvents,
  } satisfies Tables;
}

const runEvents = ({ policy, callState, word }: Parts) =>
  ({
    'run.started': {
      runId: text,
      task: text,
      messages: list(message),
      limits,
      machineHash: text,
      model: members({ provider: text, name: text }),
      dialect: text,
      tools: list(text),
      sentTools: list(toolDescription).exactOptional(),
      policy,
      life: text.exactOptional(),
    },
    'run.resumed': {
      runId: text,
      limits,
      policy,
      tools: list(text).exactOptional(),
      life: text.exactOptional(),
      spent: spent.exactOptional(),
      askedAnew: exactly(true).exactOptional(),
      calls: list(callState),
      told: list(members({ callId: text, observation: text })).exactOptional(),
      atMs: time.exactOptional(),
    },
    'run.aborted': { ...ending, why: text },
    'run.ended': {
      stopReason: word(stopReasons),
      waiting: list(callRef).exactOptional(),
      partial: text.exactOptional(),
    },
  }) satisfies Table<'run'>;

const promptEvents = ({ failure }: Parts) =>
  ({
    'prompt.sent': {
      ...ofStep,
      attempt: count.exactOptional(),
      promptTokens: count,
      messages: count,
      added: list(message).exactOptional(),
    },
    'prompt.refused': { ...ofStep, promptTokens: count },
    'model.asked': {
      ...ofStep,
      attempt: count.exactOptional(),
      provider: text,
      name: text,
      insteadOf: members({ provider: text, name: text, failure, message: text, hint: text }).exactOptional(),
    },
  }) satisfies Table<'prompt' | 'model'>;

const replyEvents = ({ violation, failure, word }: Parts) =>
  ({
    'reply.stopped': {
      ...ofReadReply,
      stop: word(stops),
      calls: readCalls,
      text,
      savedTokens: count.exactOptional(),
    },
    'reply.ended': {
      ...ofReadReply,
      calls: readCalls,
      answer: text.nullable(),
      violation: violation.nullable(),
      hint: text.nullable(),
      text,
      dropped: text.nullable(),
      dialect: text.exactOptional(),
      providerData: json.exactOptional(),
    },
    'reply.truncated': { ...ofReadReply, partial: text.nullable(), violation, hint: text, text },
    'reply.filtered': ofReply,
    'reply.failed': { ...ofReply, failure, message: text, hint: text, retryAtMs: time.exactOptional() },
  }) satisfies Table<'reply'>;

const callEvents = ({ verdict }: Parts, nested: Schema<TraceEvent>) =>
  ({
    'calls.checked': { ...ofStep, verdicts: list(verdict) },
    'call.nested': { ...ofCall, event: nested, spent: spent.exactOptional() },
    'call.retried': { ...ofCall, attempt: count, waitMs: time, observation: text, error: error.nullable() },
    'call.settled': {
      ...ofCall,
      result,
      observation: text,
      cutFrom: count.exactOptional(),
      output: json,
      resultKey: text,
      startedAtMs: time,
      timedOut: exactly(true).exactOptional(),
      empty: flag.exactOptional(),
      notes: list(text).exactOptional(),
      spent: spent.exactOptional(),
      error: error.exactOptional(),
    },
  }) satisfies Table<'call' | 'calls'>;

const approvalEvents = ({ gate, word }: Parts) =>
  ({
    'approval.asked': { ...ofStep, untilMs: time },
    'approval.granted': {
      ...ofCall,
      input: json,
      key: text,
      by: text.nullable(),
      edited: flag,
      observation: text.exactOptional(),
    },
    'approval.denied': {
      ...ofCall,
      observation: text,
      cause: either([word(['person', 'timeout']), gate]),
      by: text.nullable(),
      why: text,
      input: json.exactOptional(),
      key: text.exactOptional(),
    },
  }) satisfies Table<'approval'>;

const otherEvents = {
  'answer.accepted': { ...ofStep, answer: text, notes: list(text).exactOptional() },
  'answer.rejected': { ...ofStep, hint: text },
  'loop.warned': ofStep,
  'clock.expired': ending,
  'store.failed': { ...ending, message: text, hint: text },
  'machine.failed': { atMs: time, message: text },
} satisfies Table<'answer' | 'loop' | 'clock' | 'store' | 'machine'>;
