/** The reply that is arriving in a run, as one text that grows: each reader is behind by as much as it has not seen. Pure. */
import type { LiveEvent, ReplyDelta, ReplyRestarted, TraceEvent } from '../../core/trace.ts';
import type { ReplySoFar } from './wire.ts';

export interface ArrivingReply extends ReplySoFar {
  /** Another one for each reply and each try. */
  readonly id: number;
  /** From 1; more where it broke off and was asked for again. */
  readonly attempt: number;
}

/** In code units: what is longer is shown when it has ended. */
const longestReply = 400_000;

/** `id` is taken where another reply begins. */
export function afterPiece(
  before: ArrivingReply | null,
  piece: ReplyDelta | ReplyRestarted,
  id: number,
): ArrivingReply {
  const { step } = piece;
  if (piece.type === 'reply.restarted') return { id, step, attempt: piece.attempt, text: '' };
  if (before === null || before.step !== step) return { id, step, attempt: 1, text: piece.text };
  const room = Math.max(0, longestReply - before.text.length);
  return { ...before, text: before.text + piece.text.slice(0, room) };
}

/** Whether behind this event no reply is arriving. */
export function endsReply({ type }: TraceEvent): boolean {
  return ending.has(type);
}

const ending: ReadonlySet<string> = new Set<TraceEvent['type']>([
  'reply.ended',
  'reply.truncated',
  'reply.filtered',
  'reply.failed',
  'calls.checked',
  'run.aborted',
  'run.ended',
  'run.resumed',
]);

/** What of a reply a reader has seen. */
export interface ReplyCursor {
  readonly id: number;
  readonly length: number;
}

export const nothingSeen: ReplyCursor = Object.freeze({ id: 0, length: 0 });

/** What a reader lacks. */
export function piecesBehind({ id, step, attempt, text }: ArrivingReply, seen: ReplyCursor): readonly LiveEvent[] {
  const isNew = seen.id !== id;
  const rest = text.slice(isNew ? 0 : seen.length);
  return [
    ...(isNew && attempt > 1 ? [{ type: 'reply.restarted', step, attempt } as const] : []),
    ...(rest === '' ? [] : [{ type: 'reply.delta', step, text: rest } as const]),
  ];
}
