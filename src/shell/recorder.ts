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
  /** When the run began: milliseconds since 1970. */
  readonly startedAtMs: number;
  /** Running time of what was recorded last, or of what is recorded next: what the trace alone tells of it. */
  atMs(next?: { readonly atMs: number }): number;
  record(event: JournalEvent, state: StatePath, ignored: boolean): void;
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
  const startedAtMs = from?.startedAtMs ?? plan.clock.wallMs();
  let journal: RunJournal | null = null;
  const { sequence, modelCalls, atMs } = from ?? { sequence: 0, modelCalls: 0, atMs: 0 };
  const so: SoFar = { sequence, modelCalls, atMs };
  let isOpen = true;
  const pieces = replyPieces(redactor, (step, text) => feed?.push({ type: 'reply.delta', step, text }));

  const entryOf = (event: JournalEvent, place: EndPlace, ignored = false): JournalEntry => {
    const entry = { sequence: so.sequence++, ...place, event };
    return ignored ? { ...entry, ignored } : entry;
  };
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
    sequence: () => so.sequence,
    modelCalls: () => so.modelCalls,
    startedAtMs,
    atMs: (next) => Math.max(so.atMs, next?.atMs ?? 0),
    record(event, state, ignored) {
      if (!isOpen) return;
      note(so, event, ignored);
      if (!isSeen && journal === null) {
        so.sequence++;
        return;
      }
      const wallMs = so.sequence === 0 ? startedAtMs : plan.clock.wallMs();
      const entry = entryOf(event, { state, wallMs }, ignored);
      journal?.add(journalLine(entry, redactor));
      if (isSeen) show(entry);
    },
    delta: feed === null ? () => {} : pieces.take,
    atRest: (snapshot) => journal?.atRest(snapshot),
    whenDurable: (then) => (journal === null ? atOnce(then) : journal.whenDurable(then)),
    end(event, place, left, then) {
      const entry = entryOf(event, place);
      isOpen = false;
      if (isSeen) show(entry);
      feed?.close();
      if (journal === null) then({ problem: null, isOurs: true });
      else journal.end(journalLine(entry, redactor), left, then);
    },
    read: () => (feed ?? liveFeed()).read(),
  };
}

function atOnce(then: () => void): () => void {
  then();
  return () => {};
}

interface SoFar {
  sequence: number;
  modelCalls: number;
  atMs: number;
}

function note(so: SoFar, event: JournalEvent, ignored: boolean): void {
  if (!ignored && 'atMs' in event) so.atMs = Math.max(so.atMs, event.atMs ?? 0);
  if (event.type === 'prompt.sent' && event.attempt === undefined) so.modelCalls++;
}

/** In its middle a reply has only stopped, or something came late. */
function isReplyOver({ type }: JournalEvent, state: StatePath): boolean {
  return typeof state === 'string' || state.THOUGHT === undefined || endsOfReply.has(type);
}

const endsOfReply: ReadonlySet<string> = new Set(['reply.ended', 'reply.truncated', 'reply.failed']);

function isTriedAgain(event: TraceEvent): event is Extract<TraceEvent, { type: 'reply.failed' }> {
  return event.type === 'reply.failed' && event.ignored !== true && typeof event.state !== 'string';
}
