/** The events of one run, the reply that is arriving, and the run as of any event. */
import type { LiveEvent, TraceEvent } from '../../core/trace.ts';
import { isTraceEvent } from '../../core/trace.ts';
import type { ReplySoFar } from '../../observe/inspect/wire.ts';
import type { RunView } from '../../observe/run-view.ts';
import { foldedViews } from './folded-views.ts';

export interface Recording {
  /** Events of the trace so far. Positions go from 0 (before the first) to this. */
  readonly length: number;
  readonly reply: ReplySoFar | null;
  /** `from`: how many events stood before the first of these; what is known already is passed over. */
  take(events: readonly LiveEvent[], from?: number): void;
  /** The reply that is arriving, up to now: it takes the place of the pieces that were seen. */
  arriving(reply: ReplySoFar): void;
  /** The run as of the first `position` events; null before the first. */
  viewAt(position: number): RunView | null;
  /** The event behind which the position stands. */
  eventAt(position: number): TraceEvent | null;
  /** The positions at which the steps begin, in order. */
  readonly stepStarts: readonly { readonly step: number; readonly position: number }[];
  eventsOfStep(step: number, until: number): readonly TraceEvent[];
}

export function createRecording(): Recording {
  const events: TraceEvent[] = [];
  const stepStarts: { readonly step: number; readonly position: number }[] = [];
  let reply: ReplySoFar | null = null;

  const add = (event: TraceEvent) => {
    events.push(event);
    const step = stepOf(event);
    if (step !== null && step > (stepStarts.at(-1)?.step ?? 0)) stepStarts.push({ step, position: events.length });
    if (endsReply(event)) reply = null;
  };

  return {
    get length() {
      return events.length;
    },
    get reply() {
      return reply;
    },
    stepStarts,
    take(more, from = events.length) {
      let index = from;
      for (const event of more) {
        if (!isTraceEvent(event)) {
          reply = event.type === 'reply.restarted' ? null : joined(reply, event);
          continue;
        }
        if (index >= events.length) add(event);
        index += 1;
      }
    },
    arriving(now) {
      reply = { step: now.step, text: now.text.slice(-mostOfReply) };
    },
    viewAt: foldedViews(events),
    eventAt: (position) => events[position - 1] ?? null,
    eventsOfStep: (step, until) => events.slice(0, until).filter((event) => stepOf(event) === step),
  };
}

const stepOf = (event: TraceEvent): number | null => ('step' in event ? event.step : null);

const endsReply = ({ type }: TraceEvent) =>
  type === 'prompt.sent' || type === 'reply.ended' || type === 'reply.truncated' || type === 'run.ended';

/** What is kept of a reply in progress: the page shows the end of a longer one. */
const mostOfReply = 20_000;

function joined(reply: ReplySoFar | null, { step, text }: { step: number; text: string }): ReplySoFar {
  const before = reply?.step === step ? reply.text : '';
  return { step, text: (before + text).slice(-mostOfReply) };
}
