/** What a recorded run tells of the world outside the loop: replies, results, decisions, checks; found by step and call. Pure. */
import type { CallSettled } from '../core/events.ts';
import type { TraceEvent } from '../core/trace.ts';
import type { Verdict } from '../core/verdict.ts';
import type { Inner, RecordedRun } from './trace-runs.ts';

type Of<Type extends Inner['type']> = Extract<TraceEvent, { type: Type }>;
export type ReplyRead = Of<'reply.stopped' | 'reply.ended' | 'reply.truncated' | 'reply.filtered' | 'reply.failed'>;

export interface RecordedCall {
  readonly tool: string;
  verdict: Verdict | null;
  /** By a person, or by a gate that did not take the input as a person edited it. */
  denied: Of<'approval.denied'> | null;
  /** Of the tries that failed and were followed by another; by number of the try. */
  readonly retried: Map<number, Of<'call.retried'>>;
  settled: (CallSettled & Pick<TraceEvent, 'sequence'>) | null;
}

export type AnswerJudged = Of<'answer.accepted' | 'answer.rejected'>;

export interface RecordedFacts {
  /** By `replyPlace`. */
  readonly replies: ReadonlyMap<string, ReplyRead>;
  readonly models: ReadonlyMap<string, readonly Of<'model.asked'>[]>;
  readonly calls: ReadonlyMap<string, RecordedCall>;
  /** By step: what was said of a proposed answer. */
  readonly judged: ReadonlyMap<number, AnswerJudged>;
  /** The prompts that were sent, by `replyPlace`. */
  readonly prompts: ReadonlySet<string>;
  /** By our own count, with tools that go beside the messages; null where no prompt was made. */
  readonly firstPromptTokens: number | null;
}

export function replyPlace({ step, attempt = 1 }: { readonly step: number; readonly attempt?: number }): string {
  return `${step}/${attempt}`;
}

export function factsOf({ parts }: RecordedRun): RecordedFacts {
  const replies = new Map<string, ReplyRead>();
  const models = new Map<string, Of<'model.asked'>[]>();
  const calls = new Map<string, RecordedCall>();
  const judged = new Map<number, AnswerJudged>();
  const events = parts.flatMap((part) => part.events);
  for (const event of events) {
    if (isReplyRead(event)) {
      replies.set(replyPlace(event), event);
      for (const [index, { tool }] of callsIn(event).entries())
        calls.set(`${event.step}.${index + 1}`, {
          tool,
          verdict: null,
          denied: null,
          retried: new Map(),
          settled: null,
        });
    } else if (event.type === 'model.asked') {
      const place = replyPlace(event);
      models.set(place, [...(models.get(place) ?? []), event]);
    } else if (event.type === 'answer.accepted' || event.type === 'answer.rejected') judged.set(event.step, event);
    else noteCall(calls, event);
  }
  const prompt = events.find((event) => event.type === 'prompt.sent' || event.type === 'prompt.refused');
  const prompts = new Set(events.filter((event) => event.type === 'prompt.sent').map(replyPlace));
  return { replies, models, calls, judged, prompts, firstPromptTokens: prompt?.promptTokens ?? null };
}

function noteCall(calls: ReadonlyMap<string, RecordedCall>, event: Inner): void {
  if (event.type === 'calls.checked')
    for (const verdict of event.verdicts) {
      const call = calls.get(verdict.callId);
      if (call !== undefined) call.verdict = verdict;
    }
  if (event.type === 'call.retried') calls.get(event.callId)?.retried.set(event.attempt, event);
  if (event.type === 'approval.denied') {
    const call = calls.get(event.callId);
    if (call !== undefined) call.denied = event;
  }
  if (event.type !== 'call.settled') return;
  const call = calls.get(event.callId);
  if (call !== undefined) call.settled = event;
}

/** What a reply was read as. A stop on the way, without calls, depends on how the text came. */
export function isReplyRead(event: TraceEvent): event is ReplyRead {
  switch (event.type) {
    case 'reply.stopped':
      return event.calls.length > 0;
    case 'reply.ended':
    case 'reply.truncated':
    case 'reply.filtered':
    case 'reply.failed':
      return true;
    default:
      return false;
  }
}

export function callsIn(event: ReplyRead): Of<'reply.ended'>['calls'] {
  return event.type === 'reply.ended' || event.type === 'reply.stopped' ? event.calls : [];
}
