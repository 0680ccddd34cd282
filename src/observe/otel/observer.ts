/**
 * The observer that makes spans of runs. Many runs at once are kept apart; of those that never end, as many are remembered as
 * `mostRuns` says. It never throws, and changes no run.
 */
import type { Observer, TraceEvent } from '../../core/trace.ts';
import { viewAfter } from '../fold-run.ts';
import type { RunView } from '../run-view.ts';
import { createApi } from './api.ts';
import { type Left, type RunSpans, startRun } from './run-spans.ts';
import { type OpenTelemetryOptions, readSettings } from './settings.ts';

/** Open at once: where there are more, the spans of the oldest end. And of runs that may go on, those that are linked to. */
const mostRuns = 10_000;

interface Watched {
  readonly who: Who;
  readonly runId: string;
  readonly spans: RunSpans;
  view: RunView;
}

type Who = Parameters<Observer>[1];

/**
 * Spans and histograms of OpenTelemetry for each run of an agent, with the names of its GenAI conventions. The span of a run hangs
 * below what is active where `run`, `start` or `resume` is called. Throws AgentError (`invalid_option`) for an option that cannot
 * be used; the observer itself never throws.
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Observer {
  const { agentName, contentLength, ...rest } = readSettings(options);
  const api = createApi(rest);
  const open = openRuns();
  const left = new Map<string, Left>();

  const begin = (event: Beginning, who: Who) => {
    const view = viewAfter(null, event);
    const former = event.type === 'run.resumed' ? (left.get(event.runId) ?? null) : null;
    left.delete(event.runId);
    const spans = startRun({ api, agentName, contentLength, parent: api.here(), left: former }, view);
    for (const lost of open.add({ who, runId: event.runId, spans, view })) lost.spans.abandon(lost.view);
  };

  const goOn = (event: TraceEvent, who: Who) => {
    const run = open.find(who);
    if (run === null) return;
    const before = run.view;
    run.view = viewAfter(before, event);
    run.spans.see(event, before, run.view);
    if (event.type !== 'run.ended') return;
    open.remove(run);
    if (event.stopReason === 'final') return;
    left.delete(run.runId);
    left.set(run.runId, run.spans.left);
    for (const [oldest] of left) if (left.size > mostRuns) left.delete(oldest);
  };

  return (event, who) => {
    try {
      if (event.type === 'run.started' || event.type === 'run.resumed') begin(event, who);
      else goOn(event, who);
    } catch (thrown) {
      api.tell(thrown);
    }
  };
}

type Beginning = Extract<TraceEvent, { type: 'run.started' | 'run.resumed' }>;

interface OpenRuns {
  /** Gives back those that are given up for it. */
  add(run: Watched): readonly Watched[];
  find(who: Who): Watched | null;
  remove(run: Watched): void;
}

/**
 * An agent hands out one object for all events of a run: two runs with one id are two. Whoever calls the observer with events that
 * were read from somewhere may make that object anew each time: then the last run that began with the id is meant.
 */
function openRuns(): OpenRuns {
  const byObject = new Map<Who, Watched>();
  const lastWithId = new Map<string, Watched>();

  const remove = (run: Watched) => {
    byObject.delete(run.who);
    if (lastWithId.get(run.runId) === run) lastWithId.delete(run.runId);
  };

  return {
    add(run) {
      const same = byObject.get(run.who);
      if (same !== undefined) remove(same);
      byObject.set(run.who, run);
      lastWithId.set(run.runId, run);
      const [oldest] = byObject.values();
      if (byObject.size <= mostRuns || oldest === undefined) return same === undefined ? [] : [same];
      remove(oldest);
      return [oldest];
    },
    find: (who) => byObject.get(who) ?? lastWithId.get(who.runId) ?? null,
    remove,
  };
}
