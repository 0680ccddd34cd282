/**
 * Secrets taken out of what passes: of each event before the machine and the history see it, of each message before it
 * becomes part of the conversation, and of each event of the trace. Names of members, and the words by which events are
 * told apart, are ours and never change.
 */
import type { ReactEvent } from '../core/events.ts';
import { hashOf } from '../core/fingerprint.ts';
import type { Message } from '../core/model.ts';
import type { Redactor } from '../core/redact.ts';

/** Of our own vocabulary, or chosen by the host. */
const words = [
  ...['type', 'format', 'state', 'runId', 'machineHash', 'model', 'dialect', 'tools', 'policy', 'callId', 'toolCallId'],
  ...['role', 'stop', 'violation', 'failure', 'result', 'pass', 'effect', 'gate', 'rule', 'by', 'status', 'stopReason'],
];
/** What would run, what it is compared by, and the answer itself: the machine and the tools need them as they are. */
const asWritten = ['tool', 'input', 'key', 'coerced', 'answer'];

const keptInTrace: ReadonlySet<string> = new Set(words);
const keptByMachine: ReadonlySet<string> = new Set([...words, ...asWritten]);
const nothing: ReadonlySet<string> = new Set();
const foreignJson: ReadonlySet<string> = new Set(['input', 'output']);
/** What a provider gave for itself has names of its own, which may be the same as ours. */
const foreignInTrace: ReadonlySet<string> = new Set([...foreignJson, 'providerData']);

/** What is told of a tool, a model or a person is without secrets; what a call is run with is as it was. */
export function redactEvent(event: ReactEvent, redactor: Redactor): ReactEvent {
  return redacted(event, { redactor, kept: keptByMachine, json: foreignJson });
}

export function redactTrace<Event>(event: Event, redactor: Redactor): Event {
  return redacted(event, { redactor, kept: keptInTrace, json: foreignInTrace });
}

/** Also the inputs of the provider's own calls. */
export function redactMessage(message: Message, redactor: Redactor): Message {
  const content = redactor.text(message.content);
  if (message.role !== 'assistant' || message.calls === undefined) return { ...message, content };
  const calls = message.calls.map((call) => ({ ...call, input: redactor.value(call.input) }));
  return { ...message, content, calls };
}

/** Texts alone: a schema may have a field that is named like a credential. */
export function redactTexts<Value>(value: Value, redactor: Redactor): Value {
  return redacted(value, { redactor, kept: nothing, json: nothing });
}

interface Redacting {
  readonly redactor: Redactor;
  /** Members that stay as they are. */
  readonly kept: ReadonlySet<string>;
  /** Members in which keys are not ours. */
  readonly json: ReadonlySet<string>;
}

function redacted<Value>(value: Value, redacting: Redacting): Value;
function redacted(value: unknown, redacting: Redacting): unknown {
  if (typeof value === 'string') return redacting.redactor.text(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redacted(item, redacting));
  const members = Object.entries(value).map(([key, item]) => [key, member(key, item, redacting)]);
  const copy = Object.fromEntries(members);
  return 'key' in value && 'input' in value && !redacting.kept.has('input')
    ? { ...copy, ...withoutInput(value, copy) }
    : copy;
}

function member(key: string, item: unknown, redacting: Redacting): unknown {
  // Of an error, the cause is another one.
  if (redacting.kept.has(key) || (key === 'cause' && typeof item === 'string')) return item;
  // A schema has fields of any name.
  if (key === 'inputSchema') return redactTexts(item, redacting.redactor);
  return redacting.json.has(key) ? redacting.redactor.value(item) : redacted(item, redacting);
}

/** What is made from an input shows parts of it; equal keys stay equal, so that the trace can be folded. */
function withoutInput(call: object, copy: { readonly input?: unknown }): object {
  const { key, input, coerced }: { key?: unknown; input?: unknown; coerced?: readonly string[] } = call;
  if (JSON.stringify(input) === JSON.stringify(copy.input) || key === '') return {};
  return { key: hashOf(String(key)), ...(coerced === undefined ? {} : { coerced: coerced.map(() => '[redacted]') }) };
}
