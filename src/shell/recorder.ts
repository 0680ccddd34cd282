/** Writes the journal: numbers the entries, and shows each as an event of the trace to whoever watches. */
import type { AgentError } from '../core/errors.ts';
import type { JournalEntry, JournalEvent, RunEnded } from '../core/journal.ts';
import type { Snapshot, StatePath } from '../core/snapshot.ts';
import type { LiveEvent, TraceEvent } from '../core/trace.ts';
import { type LiveFeed, liveFeed } from './live-feed.ts';
import { observe } from './observing.ts';
import type { RunPlan } from './plan.ts';
import { replyPieces } from './reply-pieces.ts';
import type { RunJournal } from './run-journal.ts';
import type { WrittenEnd } from './store-writer.ts';
import { journalLine, traceEvent } from './trace.ts';

export interface Recorder {
  /** Begins to keep the journal where the run is stored. `failed` is told once, if it cannot be kept. */
  open(failed: (problem: AgentError) => void): void;
  /** Entries so far. */
  sequence(): number;
  /** Prompts sent so far. */
  modelCalls(): number;
  /** Running time of what was recorded last: what the trace alone tells of it. */
  atMs(): number;
  /** `wallMs`: when it happened; now, where it is left out. */
  record(event: JournalEvent, state: StatePath, ignored: boolean, wallMs?: number): void;
  delta(step: number, text: string): void;
  /** The run stands between two steps. */
  atRest(snapshot: () => Snapshot): void;
  /** Calls back when all so far would survive the process: at once where nothing is stored. Gives back what cancels it. */
  whenDurable(then: () => void): () => void;
  /**
   * Records the end, or the pause, and from where it can go on; nothing is recorded after it. Calls back when it is stored,
   * or with what went wrong.
   */
  end(event: RunEnded, place: EndPlace, left: Snapshot | null, then: (end: WrittenEnd) => void): void;
  read(): AsyncIterableIterator<LiveEvent>;
}

type EndPlace = Pick<JournalEntry, 'state' | 'wallMs'>;

/** A run that nobody holds is not kept for readers; its observer sees it all the same. */
export function createRecorder(plan: RunPlan, from: Snapshot | null): Recorder {
  const { redactor } = plan.messages;
  const feed: LiveFeed | null = plan.held ? liveFeed() : null;
  const run = Object.freeze({ runId: plan.runId });
  let journal: RunJournal | null = null;
  let sequence = from?.sequence ?? 0;
  let modelCalls = from?.modelCalls ?? 0;
  let atMs = from?.atMs ?? 0;
  let isOpen = true;
  const pieces = replyPieces(redactor, (step, text) => feed?.push({ type: 'reply.delta', step, text }));

  const entryOf = (event: JournalEvent, place: EndPlace, ignored: boolean): JournalEntry => ({
    sequence: sequence++,
    ...place,
    event,
    ...(ignored ? { ignored } : {}),
  });
  const show = (entry: JournalEntry) => {
    const seen = traceEvent(entry, redactor);
    if (isReplyOver(entry.event, entry.state)) pieces.end();
    feed?.push(seen);
    if (isTriedAgain(seen)) feed?.push({ type: 'reply.restarted', step: seen.step, attempt: (seen.attempt ?? 1) + 1 });
    observe(plan, seen, run);
  };
  const isSeen = feed !== null || plan.observers.length > 0;

  return {
    open(failed) {
      journal = plan.openJournal?.(failed) ?? null;
    },
    sequence: () => sequence,
    modelCalls: () => modelCalls,
    atMs: () => atMs,
    record(event, state, ignored, wallMs = plan.clock.wallMs()) {
      if (!isOpen) return;
      if (!ignored && 'atMs' in event) atMs = Math.max(atMs, event.atMs ?? 0);
      if (event.type === 'prompt.sent' && event.attempt === undefined) modelCalls++;
      if (!isSeen && journal === null) {
        sequence++;
        return;
      }
      const entry = entryOf(event, { state, wallMs }, ignored);
      journal?.add(journalLine(entry, redactor));
      if (isSeen) show(entry);
    },
    delta: feed === null ? () => {} : pieces.take,
    atRest: (snapshot) => journal?.atRest(snapshot),
    whenDurable(then) {
      if (journal !== null) return journal.whenDurable(then);
      then();
      return () => {};
    },
    end(event, place, left, then) {
      const entry = entryOf(event, place, false);
      isOpen = false;
      if (isSeen) show(entry);
      feed?.close();
      if (journal === null) then({ problem: null, isOurs: true });
      else journal.end(journalLine(entry, redactor), left, then);
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
