/** The replies of the alphabet. A call at the start of what was read, at its end, or none; cheap, using up the tokens exactly, or too dear. Pure. */
import type { ReactEvent } from '../core/events.ts';
import type { ReadCall, Stop } from '../core/reading.ts';
import type { ReactContext } from '../core/snapshot.ts';
import { totalTokens } from '../core/usage.ts';

/** Where an event stands: of which step, and when. */
export interface Place {
  readonly step: number;
  readonly atMs: number;
  /** Of the reply, where it is not the first try. */
  readonly attempt?: number;
}

export function replies({ limits, tokens: used }: ReactContext, callsPerReply: number, place: Place): ReactEvent[] {
  const left = Math.max(0, limits.maxTokens - totalTokens(used));
  const counts = Array.from({ length: callsPerReply }, (_, index) => index + 1);
  const events: ReactEvent[] = [stopped('action', 0, 1, place), stopped('answer', 0, 1, place)];
  for (const cost of [1, left, left + 1])
    events.push(
      ...counts.flatMap((calls) => [stopped('observation', calls, cost, place), ended({ calls }, cost, place)]),
      ended({ answer: 'yes' }, cost, place),
      ended({}, cost, place),
      truncated(cost, place),
    );
  events.push(
    ended({ answer: ' ' }, 1, place),
    ended({ calls: 1, answer: 'yes' }, 1, place),
    stopped('observation', 0, 1, place),
    stopped('action', 1, 1, place),
    stopped('answer', 1, 1, place),
  );
  return events;
}

export function tokens(total: number) {
  // Both parts count, and neither alone.
  return { inputTokens: Math.floor(total / 2), outputTokens: Math.ceil(total / 2), estimated: total === 1 };
}

function calls(count: number): readonly ReadCall[] {
  return Array.from({ length: count }, () => ({ tool: 'tool', input: null }));
}

export function stopped(stop: Stop, count: number, cost: number, place: Place): ReactEvent {
  return { type: 'reply.stopped', ...place, stop, thought: null, calls: calls(count), text: '', tokens: tokens(cost) };
}

export function ended(held: { calls?: number; answer?: string }, cost: number, place: Place): ReactEvent {
  const hollow = held.calls === undefined && held.answer === undefined;
  return {
    type: 'reply.ended',
    ...place,
    thought: null,
    calls: calls(held.calls ?? 0),
    answer: held.answer ?? null,
    violation: hollow ? 'no_step' : null,
    hint: null,
    text: '',
    dropped: null,
    tokens: tokens(cost),
  };
}

export function truncated(cost: number, place: Place): ReactEvent {
  const cut = { violation: 'truncated', thought: null, partial: 'yes', hint: '', text: '' } as const;
  return { type: 'reply.truncated', ...place, ...cut, tokens: tokens(cost) };
}

export function failedReply(place: Place): ReactEvent {
  return { type: 'reply.failed', ...place, ...why, tokens: tokens(1) };
}

const why = { failure: 'connection', message: '', hint: '' } as const;

/** That may be tried again: now, or too late; after nothing was spent, or just all that there was. */
export function failedTries({ limits, tokens: used }: ReactContext, place: Place): ReactEvent[] {
  if (limits.modelRetries === 0) return [];
  const left = Math.max(0, limits.maxTokens - totalTokens(used));
  return [
    { type: 'reply.failed', ...place, ...why, tokens: tokens(0), retryAtMs: place.atMs },
    { type: 'reply.failed', ...place, ...why, tokens: tokens(0), retryAtMs: limits.wallClockMs },
    { type: 'reply.failed', ...place, ...why, tokens: tokens(left), retryAtMs: place.atMs },
  ];
}
