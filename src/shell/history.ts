/**
 * The steps and the conversation of one run, as a fold over its events: what happened, and what the model is shown of it.
 */
import type { Command } from '../../machines/commands.ts';
import type { Happening } from '../../machines/edge.ts';
import { messageUnits, tokensOfUnits } from '../context/tokens.ts';
import type { CallSettled, ReplyEnded, ReplyStopped } from '../core/events.ts';
import type { JsonValue } from '../core/json.ts';
import type { Language } from '../core/language.ts';
import type { Message } from '../core/model.ts';
import type { Step, StepCall } from '../core/outcome.ts';
import type { CallNotes, CallState, KeptHistory, OpenStep } from '../core/snapshot.ts';
import type { StepViolation } from '../core/stop-reasons.ts';
import { noTokens } from '../core/usage.ts';
import type { Messages } from '../dispatch/messages.ts';
import { emptyWarning, loopWarning, manyEmpty } from '../protocol/warnings.ts';
import { type StepDone, stepMessages } from '../protocol/write-back.ts';
import { frozenCopies } from './frozen.ts';
import { withUntold } from './going-on.ts';
import { noNotes } from './no-notes.ts';
import type { RunPlan } from './plan.ts';
import { redactMessage } from './redact-events.ts';

type RecordStep = Extract<Command, { type: 'recordStep' }>;
type AskModel = Extract<Command, { type: 'askModel' }>;

/** The step in progress, as it is being written. */
type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };
type WrittenStep = Writable<Omit<OpenStep, 'notes'>> & { readonly notes: Map<string, CallNotes> };

export interface History {
  /** The conversation so far. Only ever appended to; a copy is made for each request. */
  readonly messages: readonly Message[];
  /** The same for foreign code: copies that nobody can write into, each made once. */
  shown(): readonly Message[];
  readonly steps: readonly Step[];
  /** Of the conversation so far, by our own count. */
  promptTokens(): number;
  /** What an event, and the commands that came of it, say of the step in progress. One that is done is closed, and the next begun. */
  follow(event: Happening, commands: readonly Command[], atMs: number): void;
  /** All steps, with the one in progress where its reply was read, and what became of its calls. */
  all(calls: readonly CallState[], atMs: number): readonly Step[];
  /** The last thought, or the beginning of an answer where the last reply was cut in one. */
  partial(): string | null;
  keep(): KeptHistory;
}

/** What the conversation is written with. */
export type HistoryPlan = Pick<RunPlan, 'dialect' | 'language' | 'toolbox' | 'messages'>;

export function createHistory(
  { dialect, language, toolbox, messages: words }: HistoryPlan,
  kept: KeptHistory,
): History {
  const tools = [...toolbox.keys()];
  const messages: Message[] = kept.messages.map((message) => redactMessage(message, words.redactor));
  const steps: Step[] = [...kept.steps];
  let units = messages.reduce((sum, message) => sum + unitsOf(message), 0);
  let open = writtenStep(kept.open);
  let cutShort: string | null = null;
  const say = (written: Message) => {
    const message = redactMessage(written, words.redactor);
    messages.push(message);
    units += unitsOf(message);
  };

  /** Of the rest, the events had none. */
  const withoutSecrets = (step: Step): Step => ({
    ...step,
    calls: step.calls.map((call) => ({ ...call, input: words.redactor.value(call.input) })),
  });

  /** Closes the step in progress and writes it into the conversation. */
  const close = (record: RecordStep, atMs: number) => {
    if (open === null) return;
    const { calls, violation, answer } = record;
    const notes = answer === null ? withUntold(open.notes, calls, words) : open.notes;
    const step = withoutSecrets(stepOf({ ...open, notes }, calls, atMs, violation, answer));
    steps.push(step);
    if (answer === null)
      for (const message of stepMessages(dialect, tools, stepDone(step, open.reply, warningsOf(record, language))))
        say(open.providerData === undefined ? message : withProviderData(message, open.providerData));
    open = null;
  };

  return {
    messages,
    shown: frozenCopies(messages),
    steps,
    promptTokens: () => tokensOfUnits(units),
    follow(event, commands, atMs) {
      if (readsReply.has(event.type)) cutShort = event.type === 'reply.truncated' ? event.partial : null;
      if (open !== null) note(open, event, words);
      for (const command of commands) {
        if (command.type === 'recordStep') close(command, atMs);
        if (command.type === 'askModel') open = begun(command, open, atMs);
      }
    },
    all: (calls, atMs) =>
      open === null || open.reply === null
        ? [...steps]
        : [...steps, withoutSecrets(stepOf(open, calls, atMs, null, null))],
    partial: () => cutShort ?? open?.thought ?? steps.findLast(({ thought }) => thought !== null)?.thought ?? null,
    keep: () => ({
      messages: [...messages],
      steps: [...steps],
      open: open === null ? null : { ...open, notes: Object.fromEntries(open.notes) },
    }),
  };
}

function writtenStep(open: OpenStep | null): WrittenStep | null {
  return open === null ? null : { ...open, notes: new Map(Object.entries(open.notes)) };
}

/** A reply that is asked for again leaves nothing but when its step began. */
function begun({ step, attempt }: AskModel, before: WrittenStep | null, atMs: number): WrittenStep {
  const startedAtMs = attempt > 1 && before !== null ? before.startedAtMs : atMs;
  return { number: step, startedAtMs, thought: null, reply: null, hint: null, tokens: noTokens, notes: new Map() };
}

const readsReply: ReadonlySet<string> = new Set(['reply.stopped', 'reply.ended', 'reply.truncated']);

function withProviderData(message: Message, providerData: JsonValue): Message {
  return message.role === 'assistant' ? { ...message, providerData } : message;
}

/** Adds what an event says to the step in progress. */
function note(open: WrittenStep, event: Happening, { edited }: Pick<Messages, 'edited'>): void {
  switch (event.type) {
    case 'reply.stopped':
    case 'reply.ended':
      return noteReply(open, event);
    case 'reply.truncated':
      open.thought = event.thought;
      open.reply = event.text;
      open.hint = event.hint;
      open.tokens = event.tokens;
      return;
    case 'answer.rejected':
      open.hint = event.hint;
      return;
    case 'calls.checked':
      for (const { callId, pass, observation } of event.verdicts)
        if (pass === 'refuse') open.notes.set(callId, { ...noNotes, observation });
      return;
    case 'approval.denied':
      open.notes.set(event.callId, { ...noNotes, observation: event.observation });
      return;
    case 'approval.granted':
      if (event.edited)
        open.notes.set(event.callId, { ...noNotes, observation: event.observation ?? edited(event.input) });
      return;
    case 'call.settled':
      open.notes.set(event.callId, notesOf(event, open.notes.get(event.callId)?.observation ?? null));
      return;
    default:
      return;
  }
}

function noteReply(open: WrittenStep, event: ReplyStopped | ReplyEnded): void {
  open.thought = event.thought ?? open.thought;
  if (event.type === 'reply.stopped' && event.calls.length === 0) return;
  open.reply = event.text;
  open.tokens = event.tokens;
  if (event.type === 'reply.stopped') return;
  open.hint = event.hint;
  if (event.providerData !== undefined) open.providerData = event.providerData;
}

/** `before`: what the model is told before the result, where a person changed the input. */
function notesOf({ observation, output, startedAtMs, atMs }: CallSettled, before: string | null): CallNotes {
  const told = before === null ? observation : `${observation}\n${before}`;
  return { observation: told, output, startedAtMs, endedAtMs: atMs };
}

function stepOf(
  { number, startedAtMs, thought, hint, tokens, notes }: WrittenStep,
  calls: readonly CallState[],
  endedAtMs: number,
  violation: StepViolation | null,
  answer: string | null,
): Step {
  return {
    number,
    thought,
    calls: calls.map((call) => stepCall(call, notes.get(call.callId) ?? noNotes)),
    answer,
    violation: violation === null ? null : { code: violation, hint: hint ?? '' },
    tokens,
    startedAtMs,
    endedAtMs,
  };
}

function stepCall({ callId, tool, input, repaired, status, empty }: CallState, notes: CallNotes): StepCall {
  // A refusal always says why: without, the call waited for its place when the run ended.
  const shown = status === 'refused' && notes.observation === null ? 'cancelled' : shownStatus[status];
  return { toolCallId: callId, tool, input, repaired, status: shown, empty, ...notes };
}

/** What a call that was never settled is called in a step. */
const shownStatus = {
  read: 'cancelled',
  ready: 'cancelled',
  asking: 'waiting',
  started: 'cancelled',
  succeeded: 'succeeded',
  failed: 'failed',
  unknown: 'unknown',
  refused: 'refused',
} as const satisfies Record<CallState['status'], StepCall['status']>;

function warningsOf({ loop, calls, emptyInRow }: RecordStep, language: Language): readonly string[] {
  const isStuck = emptyInRow >= manyEmpty && calls.some(({ empty }) => empty);
  return [
    ...(loop === 'warn' ? [loopWarning(language)] : []),
    ...(isStuck ? [emptyWarning(emptyInRow, language)] : []),
  ];
}

/** What the model is told of a step: the violation, or the result of each call, and what the loop warns of. */
function stepDone(step: Step, reply: string | null, warnings: readonly string[]): StepDone {
  return {
    reply,
    thought: step.thought,
    calls: step.calls.map(({ toolCallId, tool, input }) => ({ callId: toolCallId, tool, input })),
    results: step.calls.map(({ tool, observation, status }) => ({
      tool,
      text: observation ?? '',
      byLoop: status !== 'succeeded',
    })),
    fault: step.violation === null ? null : formatError(step.violation.hint),
    warnings,
  };
}

/** By our own count; a call counts with its name and its input, and what the adapter wants back with its JSON. */
function unitsOf(message: Message): number {
  const { calls = [], providerData = null } = message.role === 'assistant' ? message : {};
  return calls.reduce(
    (sum, { tool, input }) => sum + messageUnits(tool + JSON.stringify(input)),
    messageUnits(message.content + (providerData === null ? '' : JSON.stringify(providerData))),
  );
}

function formatError(hint: string): string {
  return hint.startsWith('[FormatError]') ? hint : `[FormatError] ${hint}`;
}
