/** Writes the journal: numbers the entries, and shows each as an event of the trace to whoever watches. */
import type { JournalEvent } from '../core/journal.ts';
import type { Snapshot, StatePath } from '../core/snapshot.ts';
import type { LiveEvent, TraceEvent } from '../core/trace.ts';
import { type LiveFeed, liveFeed } from './live-feed.ts';
import type { RunPlan } from './plan.ts';
import { replyPieces } from './reply-pieces.ts';
import { traceEvent } from './trace.ts';
import { unheeded } from './within.ts';

export interface Recorder {
  /** Entries so far. */
  sequence(): number;
  /** Prompts sent so far. */
  modelCalls(): number;
  record(event: JournalEvent, state: StatePath, ignored: boolean): void;
  delta(step: number, text: string): void;
  /** Nothing is recorded after this. */
  close(): void;
  read(): AsyncIterableIterator<LiveEvent>;
}

/** A run that nobody holds is not kept for readers; its observer sees it all the same. */
export function createRecorder(plan: RunPlan, from: Snapshot | null): Recorder {
  const feed: LiveFeed | null = plan.held ? liveFeed() : null;
  let sequence = from?.sequence ?? 0;
  let modelCalls = from?.modelCalls ?? 0;
  let isOpen = true;
  const pieces = replyPieces(plan.messages.redactor, (step, text) => feed?.push({ type: 'reply.delta', step, text }));
  return {
    sequence: () => sequence,
    modelCalls: () => modelCalls,
    record(event, state, ignored) {
      if (!isOpen) return;
      const place = sequence++;
      if (event.type === 'prompt.sent' && event.attempt === undefined) modelCalls++;
      if (feed === null && plan.onEvent === null) return;
      const entry = { sequence: place, event, state, wallMs: plan.clock.wallMs(), ...(ignored ? { ignored } : {}) };
      const seen = traceEvent(entry, plan.messages.redactor);
      if (isReplyOver(event, state)) pieces.end();
      feed?.push(seen);
      if (isTriedAgain(seen))
        feed?.push({ type: 'reply.restarted', step: seen.step, attempt: (seen.attempt ?? 1) + 1 });
      observe(plan, seen);
    },
    delta: feed === null ? () => {} : pieces.take,
    close() {
      isOpen = false;
      feed?.close();
    },
    read: () => (feed ?? liveFeed()).read(),
  };
}

/** In its middle a reply has only stopped, or something came late. */
function isReplyOver({ type }: JournalEvent, state: StatePath): boolean {
  return typeof state === 'string' || state.THOUGHT === undefined || endsOfReply.has(type);
}

const endsOfReply: ReadonlySet<string> = new Set(['reply.ended', 'reply.truncated', 'reply.failed']);

function isTriedAgain(event: TraceEvent): event is Extract<TraceEvent, { type: 'reply.failed' }> {
  return event.type === 'reply.failed' && event.ignored !== true && typeof event.state !== 'string';
}

/** An observer can see a run and never change it: what it throws or rejects with is its own matter. */
function observe({ onEvent }: RunPlan, event: TraceEvent): void {
  if (onEvent !== null) unheeded(() => onEvent(structuredClone(event)));
}
