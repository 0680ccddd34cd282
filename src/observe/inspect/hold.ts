/** What the inspector holds of one run: its events as bytes, ready to be sent, and what the list tells of it. */
import type { ReplyDelta, ReplyRestarted, TraceEvent } from '../../core/trace.ts';
import { viewAfter } from '../fold-run.ts';
import type { RunView } from '../run-view.ts';
import { type ArrivingReply, afterPiece, endsReply } from './arriving-reply.ts';
import { briefEvent, briefText } from './brief.ts';
import type { WatchedRun } from './watched-run.ts';
import type { RunSummary } from './wire.ts';

export interface Hold {
  readonly key: string;
  /** From 1, in the order in which they were opened. */
  readonly number: number;
  readonly runId: string;
  readonly file: string | null;
  /** Each the JSON of an event of the trace. Only ever appended to. */
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
  decideOn(run: WatchedRun | null): void;
  add(event: TraceEvent): void;
  arrives(piece: ReplyDelta | ReplyRestarted): void;
  /** Its source is at its end, whether the run is or not. */
  sourceEnded(): void;
  summary(): RunSummary;
}

export interface HoldOptions {
  readonly number: number;
  readonly runId: string;
  readonly file: string | null;
  /** Of memory. Above it long texts are cut; above one and a half times it only beginnings and ends are kept. */
  readonly mostBytes: number;
}

/** In bytes: what an event costs beside its text, and a run beside its events. */
const overhead = Object.freeze({ event: 200, run: 2_000 });
/** In bytes: of a longer event the list follows a copy whose texts are cut, as the view keeps what it is given. */
const smallEvent = 1_000;

export function createHold({ number, runId, file, mostBytes }: HoldOptions): Hold {
  const key = `r${number}`;
  const lines: Buffer[] = [];
  let view: RunView | null = null;
  let reply: ArrivingReply | null = null;
  let decider: WatchedRun | null = null;
  let bytes = overhead.run;
  let [lastSequence, lost, pieces] = [-1, 0, 0];
  let begun: Pick<TraceEvent, 'sequence' | 'wallMs'> = { sequence: -1, wallMs: 0 };
  let [isEnded, isSourceEnded] = [false, false];

  const isOver = () => isEnded || isSourceEnded;
  const isRoomFor = (line: Buffer, most: number) => bytes + line.length <= most;
  const keep = (event: TraceEvent, whole: Buffer | null) => {
    const fits = whole !== null && isRoomFor(whole, mostBytes);
    if (!fits) lost++;
    const line = fits ? whole : lineOf(briefEvent(event));
    if (line === null || !(fits || isTurningPoint(event) || isRoomFor(line, 1.5 * mostBytes))) return;
    lines.push(line);
    bytes += line.length + overhead.event;
  };
  const follow = (event: TraceEvent, size: number) => {
    const before = view;
    view = attempt(() => viewAfter(before, size > smallEvent ? briefEvent(event) : event)) ?? before;
    bytes += Math.min(size, smallEvent);
  };
  return {
    key,
    number,
    runId,
    file,
    lines,
    reply: () => reply,
    bytes: () => bytes,
    lastSequence: () => lastSequence,
    hasBegunWith: ({ sequence, wallMs }) => begun.sequence === sequence && begun.wallMs === wallMs,
    isOver,
    decider: () => (isOver() ? null : decider),
    decideOn: (run) => {
      decider = run;
    },
    add(event) {
      const line = lineOf(event);
      keep(event, line);
      follow(event, line?.length ?? 0);
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
    summary: () => ({
      ...summaryOf(view),
      ...{ key, runId, file, lost },
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
    startedWallMs: view?.startedWallMs ?? null,
    lastWallMs: view?.lastWallMs ?? 0,
    atMs: view?.atMs ?? 0,
  } as const;
}

export function begins(event: TraceEvent): event is TraceEvent & { readonly type: 'run.started' | 'run.resumed' } {
  return event.type === 'run.started' || event.type === 'run.resumed';
}

/** Kept of the largest run: whether it is over must be known. */
function isTurningPoint(event: TraceEvent): boolean {
  return begins(event) || event.type === 'run.ended';
}

/** Null for what is no JSON: a program may show anything. */
function lineOf(event: TraceEvent): Buffer | null {
  return attempt(() => Buffer.from(JSON.stringify(event))) ?? null;
}

function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
