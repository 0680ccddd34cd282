/**
 * What is compared of an event: what happened, and what was made of it. Times, tokens as they were estimated, and what stands
 * for a text are not: they follow from the rest, or from the machine it ran on. Pure.
 */

import type { JsonValue } from '../core/json.ts';
import type { TraceEvent } from '../core/trace.ts';
import type { Verdict } from '../core/verdict.ts';
import { callsIn, isReplyRead, type ReplyRead } from './recorded-facts.ts';

export interface EventFacts {
  /** Events of another kind stand in another place of the run. */
  readonly kind: string;
  /** The kind for people. */
  readonly words: string;
  readonly fields: readonly Field[];
}

/** In words, such as `the input of call 2.1`. */
export type Field = readonly [name: string, value: JsonValue | undefined];

/** Of a reply without a step. */
export const hintField = 'what the model is told of the violation';

/** Null for what is not compared. */
export function factsIn(event: TraceEvent): EventFacts | null {
  if (isReplyRead(event)) return reply(event);
  switch (event.type) {
    case 'prompt.sent':
      return facts(event, `the prompt of ${tryOf(event)}`, [['the tokens of the prompt', event.promptTokens]]);
    case 'prompt.refused':
      return facts(event, `a prompt that does not fit, in step ${event.step}`, []);
    case 'model.asked':
      return facts(event, `another model asked in ${tryOf(event)}`, [['the model', `${event.provider} ${event.name}`]]);
    case 'calls.checked':
      return facts(event, `the gates of step ${event.step}`, event.verdicts.flatMap(verdict));
    case 'approval.asked':
      return facts(event, `a person asked in step ${event.step}`, []);
    case 'approval.granted':
      return facts(event, `call ${event.callId} approved`, [
        [`the input of call ${event.callId}`, event.input],
        ['who approved', event.by],
      ]);
    case 'approval.denied':
      return facts(event, `call ${event.callId} denied`, [
        ['what denied it', event.cause],
        [`what the model is told of call ${event.callId}`, event.observation],
      ]);
    case 'call.retried':
      return facts(event, `try ${event.attempt} of call ${event.callId} failed`, []);
    case 'call.settled':
      return facts(event, `the result of call ${event.callId}`, [
        [`the result of call ${event.callId}`, event.result],
        ...(event.output === null ? [] : [[`the output of call ${event.callId}`, event.output] as const]),
        [`whether call ${event.callId} found nothing`, event.empty === true],
        [`what the model is told of call ${event.callId}`, event.observation],
      ]);
    case 'answer.accepted':
      return facts(event, 'an accepted answer', []);
    case 'answer.rejected':
      return facts(event, 'a rejected answer', [['why the answer is rejected', event.hint]]);
    case 'loop.warned':
      return facts(event, `a warning of a loop in step ${event.step}`, []);
    case 'run.aborted':
      return facts(event, 'the run aborted', []);
    case 'clock.expired':
      return facts(event, 'the end of the running time', []);
    case 'store.failed':
      return facts(event, 'a store that failed', []);
    case 'machine.failed':
      return facts(event, 'a defect', [['the defect', event.message]]);
    case 'run.ended':
      return facts(event, 'the end of the run', [['how the run ends', event.stopReason]]);
    default:
      return null;
  }
}

interface Placed {
  readonly type: string;
  readonly step?: number;
  readonly attempt?: number;
  readonly callId?: string;
}

function facts({ type, step, attempt, callId }: Placed, words: string, fields: readonly Field[]): EventFacts {
  return { kind: [type, step, attempt, callId].join(' '), words, fields };
}

function tryOf({ step, attempt = 1 }: { readonly step: number; readonly attempt?: number }): string {
  return attempt === 1 ? `step ${step}` : `step ${step}, try ${attempt}`;
}

/** However the reply came to its end: a loop that read on would have read the same step. */
function reply(event: ReplyRead): EventFacts {
  const place = { ...('attempt' in event ? { attempt: event.attempt ?? 1 } : {}), step: event.step };
  return facts({ type: 'reply', ...place }, `the reply of ${tryOf(event)}`, [
    ['what the reply is', kindOf(event)],
    ...readIn(event),
  ]);
}

function kindOf(event: ReplyRead): string {
  switch (event.type) {
    case 'reply.truncated':
      return 'cut by a limit';
    case 'reply.filtered':
      return 'withheld by the provider';
    case 'reply.failed':
      return 'a failure';
    default:
      if (callsIn(event).length > 0) return callsIn(event).length === 1 ? 'a call' : `${callsIn(event).length} calls`;
      return event.type === 'reply.ended' && event.answer !== null ? 'an answer' : 'a violation';
  }
}

function readIn(event: ReplyRead): readonly Field[] {
  if (event.type === 'reply.failed') return [['the failure', event.failure]];
  if (event.type === 'reply.filtered') return [];
  if (event.type === 'reply.truncated')
    return [
      ['the violation', event.violation],
      [hintField, event.hint],
    ];
  const ended = event.type === 'reply.ended' ? event : null;
  return [
    ['the violation', ended?.violation ?? null],
    ...callsIn(event).flatMap(({ tool, input }, index): Field[] => [
      [`the tool of call ${event.step}.${index + 1}`, tool],
      [`the input of call ${event.step}.${index + 1}, as it was read`, input ?? {}],
    ]),
    ['the answer', ended?.answer ?? null],
    ['the thought', event.thought],
    [hintField, ended?.hint ?? null],
  ];
}

function verdict({ callId, pass, gate, rule, input, observation, effect, endsRun }: Verdict): readonly Field[] {
  return [
    [`what the gates say of call ${callId}`, pass],
    [`the gate of call ${callId}`, gate],
    [`the rule for call ${callId}`, rule],
    [`the input of call ${callId}`, input ?? {}],
    [`how the tool of call ${callId} is marked`, `${effect}${endsRun ? ', endsRun' : ''}`],
    [`what the model is told of call ${callId}`, observation],
  ];
}
