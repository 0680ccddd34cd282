/** What the inspector holds of one run: its events as bytes, ready to be sent, and what the list tells of it. */
import { begins, type ReplyDelta, type ReplyRestarted, type TraceEvent } from '../../core/trace.ts';
import type { RunView } from '../run-view.ts';
import { type ArrivingReply, afterPiece, endsReply } from './arriving-reply.ts';
import { briefText } from './brief.ts';
import { keptLines } from './kept-lines.ts';
import { listedView } from './listed-view.ts';
import type { WatchedRun } from './watched-run.ts';
import type { RunSummary } from './wire.ts';

export interface Hold {
  readonly key: string;
  /** From 1, in the order in which they were opened. */
  readonly number: number;
  readonly runId: string;
  readonly file: string | null;
  /** Each the JSON of an event of the trace. Only ever appended to; see `keptLines`. */
  readonly lines: readonly Buffer[];
  /** Null where none is arriving. */
  reply(): ArrivingReply | null;
  /** Of memory, as far as it can be told. */
  bytes(): number;
  /** The sequence of the last event; -1 before the first. */
  lastSequence(): number;
  /** Whether it began, or went on, with this event. */
  hasBegunWith(event: TraceEvent): boolean;
  /** Nothing more comes, unless the run goes on. */
  isOver(): boolean;
  /** Whose calls a person may decide about from the page; null for nobody's. */
  decider(): WatchedRun | null;
  /** Whether a person sees in the page all of what this call, which waits, would do. */
  isSeenWhole(callId: string): boolean;
  decideOn(run: WatchedRun | null): void;
  add(event: TraceEvent): void;
  arrives(piece: ReplyDelta | ReplyRestarted): void;
  /** Its source is at its end, whether the run is or not. */
  sourceEnded(): void;
  /** Keeps less of it, but for its beginning and its last step. False where it cannot. */
  shrink(): boolean;
  summary(): RunSummary;
}

export interface HoldOptions {
  readonly number: number;
  readonly runId: string;
  readonly file: string | null;
  /** Of memory, for its events. See `keptLines`. */
  readonly mostBytes: number;
}

export function createHold({ number, runId, file, mostBytes }: HoldOptions): Hold {
  const key = `r${number}`;
  const kept = keptLines(mostBytes);
  const listed = listedView();
  let reply: ArrivingReply | null = null;
  let decider: WatchedRun | null = null;
  let [lastSequence, pieces] = [-1, 0];
  let begun: Pick<TraceEvent, 'sequence' | 'wallMs'> = { sequence: -1, wallMs: 0 };
  let [isEnded, isSourceEnded] = [false, false];

  const isOver = () => isEnded || isSourceEnded;
  return {
    key,
    number,
    runId,
    file,
    lines: kept.lines,
    reply: () => reply,
    bytes: () => kept.bytes() + listed.bytes() + 2 * (reply?.text.length ?? 0),
    lastSequence: () => lastSequence,
    hasBegunWith: ({ sequence, wallMs }) => begun.sequence === sequence && begun.wallMs === wallMs,
    isOver,
    decider: () => (isOver() ? null : decider),
    isSeenWhole: kept.hasWhole,
    decideOn: (run) => {
      decider = run;
    },
    add(event) {
      kept.add(event);
      listed.add(event);
      lastSequence = event.sequence;
      isEnded = event.type === 'run.ended';
      isSourceEnded = false;
      if (begins(event)) begun = { sequence: event.sequence, wallMs: event.wallMs };
      if (endsReply(event)) reply = null;
    },
    arrives(piece) {
      reply = afterPiece(reply, piece, ++pieces);
    },
    sourceEnded() {
      isSourceEnded = true;
      reply = null;
    },
    shrink: kept.shrink,
    summary: () => ({
      ...summaryOf(listed.view()),
      ...{ key, runId, file, lost: kept.lost() },
      isLive: !isOver(),
      isDecidable: !isOver() && decider !== null,
    }),
  };
}

function summaryOf(view: RunView | null) {
  return {
    task: typeof view?.task === 'string' ? briefText(view.task) : null,
    model: view?.model?.name ?? null,
    phase: view?.phase ?? 'running',
    stopReason: view?.stopReason ?? null,
    steps: view?.steps.length ?? 0,
    tokens: view?.usage.totalTokens ?? 0,
    violations: view?.violations ?? 0,
    missing: view?.missing ?? 0,
    startedWallMs: view?.startedWallMs ?? null,
    lastWallMs: view?.lastWallMs ?? 0,
    atMs: view?.atMs ?? 0,
  } as const;
}
