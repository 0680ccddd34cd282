/** Groups runs that failed by what is alike. Bounded, however many there are. */
import type { RunView, StepView } from '../run-view.ts';
import type { FailureCluster, FailureExample } from './metrics.ts';

export interface Clustering {
  /** A run that failed. `file` is where its trace stands. */
  add(view: RunView, file: string | null): void;
  clusters(): readonly FailureCluster[];
}

/** Further kinds of failure of a stop reason are one. */
const mostClusters = 500;
/** In code units. */
const longest = { message: 400, what: 160 } as const;

export function createClusters(): Clustering {
  const found = new Map<string, { stopReason: string; what: string; runs: number; example: FailureExample }>();
  return {
    add(view, file) {
      const stopReason = view.stopReason ?? 'unknown';
      const { about, message } = reasonOf(view, stopReason);
      const full = found.size >= mostClusters;
      const alike = alikeIn(about);
      const what = full && !found.has(`${stopReason} ${alike}`) ? 'other failures' : alike;
      const key = `${stopReason} ${what}`;
      const cluster = found.get(key);
      if (cluster !== undefined) cluster.runs++;
      else {
        const step = view.steps.at(-1)?.number ?? null;
        const example = { runId: view.runId, file, step, message: message.slice(0, longest.message) };
        found.set(key, { stopReason, what, runs: 1, example });
      }
    },
    clusters: () => [...found.values()].sort((one, other) => other.runs - one.runs),
  };
}

interface Reason {
  /** What is compared. */
  readonly about: string;
  readonly message: string;
}

/** By how it ended: the error; the violations; or the call that failed last. */
function reasonOf(view: RunView, stopReason: string): Reason {
  const { failure, steps } = view;
  if (failure !== null) return { about: failure.message, message: failure.message };
  const last = steps.findLast(({ violation, calls }) => violation !== null || calls.length > 0);
  if (stopReason === 'violations_exhausted') {
    const row = steps.slice(-Math.max(1, view.violationsInRow)).flatMap(({ violation }) => violation ?? []);
    const codes = [...new Set(row.map(({ code }) => code))].sort();
    return { about: codes.join(', '), message: row.at(-1)?.hint ?? '' };
  }
  return last === undefined ? { about: '', message: '' } : lastOf(last, stopReason === 'loop_detected');
}

function lastOf({ calls, violation }: StepView, isLoop: boolean): Reason {
  const call = calls.findLast(({ status }) => status === 'failed' || status === 'unknown' || status === 'refused');
  if (call !== undefined) {
    const message = call.error?.message ?? call.observation ?? '';
    return { about: `${call.tool}: ${message}`, message: `${call.tool}: ${call.observation ?? message}` };
  }
  const [first] = calls;
  if (first !== undefined)
    return { about: `${isLoop ? 'again and again' : 'at'} ${first.tool}`, message: first.observation ?? '' };
  return { about: violation?.code ?? '', message: violation?.hint ?? '' };
}

/** Of a text of bounded length, so that the expressions are cheap. */
function alikeIn(text: string): string {
  return text
    .slice(0, 2 * longest.what)
    .replaceAll(/"[^"]*"|'[^'\n]*'|`[^`]*`|“[^”]*”|「[^」]*」/g, '"…"')
    .replaceAll(/\b[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\b/gi, 'ID')
    .replaceAll(/\b(?=[a-z_-]*\d)[\w-]{12,}\b/gi, 'ID')
    .replaceAll(/\d+(?:[.,:]\d+)*/g, 'N')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, longest.what);
}
