/**
 * The run as of each of its events. Folded with checkpoints: one view takes at most `checkpointEvery` steps of the fold, however long
 * the run is; the next one takes one.
 */
import type { TraceEvent } from '../../core/trace.ts';
import { viewAfter } from '../../observe/fold-run.ts';
import type { RunView } from '../../observe/run-view.ts';

const checkpointEvery = 64;

interface At {
  readonly position: number;
  readonly view: RunView | null;
}

/** `events` may grow. The view is null before the first of them. */
export function foldedViews(events: readonly TraceEvent[]): (position: number) => RunView | null {
  const checkpoints: (RunView | null)[] = [null];
  // The end, and where the page stood last.
  let head: At = { position: 0, view: null };
  let latest: At = { position: 0, view: null };

  /** The nearest view that is known, at the position or before it. */
  const knownBefore = (position: number): At => {
    const number = Math.min(Math.floor(position / checkpointEvery), checkpoints.length - 1);
    const checkpoint = { position: number * checkpointEvery, view: checkpoints[number] ?? null };
    const known = [checkpoint, latest, head].filter((one) => one.position <= position);
    return known.reduce((best, one) => (one.position > best.position ? one : best));
  };

  return (wanted) => {
    const target = Math.max(0, Math.min(wanted, events.length));
    let { position, view } = knownBefore(target);
    for (const event of events.slice(position, target)) {
      view = viewAfter(view, event);
      position += 1;
      if (position % checkpointEvery === 0) checkpoints[position / checkpointEvery] = view;
    }
    if (position === events.length) head = { position, view };
    else latest = { position, view };
    return view;
  };
}
