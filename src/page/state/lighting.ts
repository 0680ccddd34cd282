/**
 * Which state of the chart is lit. A run can pass several in a millisecond, OBSERVATION always: they wait in a queue, each is lit
 * long enough to be seen, and the queue is never more than a second behind.
 */
import { stateName } from '../../observe/chart/path.ts';
import type { Player } from './player.ts';
import type { Recording } from './recording.ts';
import { createStore, type Store } from './store.ts';

export interface Lighting {
  /** `ACTION.running`; null before the first event. */
  readonly store: Store<{ readonly lit: string | null }>;
  close(): void;
}

const behindAtMostMs = 1_000;
const litMs = 160;
/** About what a frame takes: fewer would not be seen. */
const litAtLeastMs = 20;
/** A longer way is a jump: only where it leads is lit. */
const longestWay = 200;

/** `isRecorded`: the run is over, and what comes first is where it ended. */
export function createLighting(recording: Recording, player: Player, isRecorded: boolean): Lighting {
  const store = createStore<{ readonly lit: string | null }>({ lit: null });
  let seen = 0;
  let queue: string[] = [];
  let paceMs = litMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;

  const stop = () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  };
  const next = () => {
    timer = undefined;
    const lit = queue.shift();
    if (lit === undefined) return;
    store.set({ lit });
    // And not before it was drawn, however busy the page is.
    timer = setTimeout(() => {
      frame = requestAnimationFrame(next);
    }, paceMs);
  };

  const look = () => {
    const { position } = player.store.get();
    if (position === seen) return;
    const way = seen === 0 && isRecorded ? null : waysBetween(recording, seen, position);
    seen = position;
    if (way === null) {
      stop();
      const view = recording.viewAt(position);
      queue = view === null ? [] : [stateName(view.state)];
      if (view === null) store.set({ lit: null });
      next();
      return;
    }
    queue = [...queue, ...way].slice(-Math.floor(behindAtMostMs / litAtLeastMs));
    paceMs = Math.max(litAtLeastMs, Math.min(litMs, behindAtMostMs / queue.length));
    if (timer === undefined) next();
  };

  look();
  const unsubscribe = player.store.subscribe(look);
  return {
    store,
    close() {
      unsubscribe();
      stop();
    },
  };
}

/** The states that were passed, or null where it is a jump. */
function waysBetween(recording: Recording, from: number, to: number): string[] | null {
  if (to < from || to - from > longestWay) return null;
  const way: string[] = [];
  let before = recording.viewAt(from)?.lastMoves;
  for (let position = from + 1; position <= to; position += 1) {
    const moves = recording.viewAt(position)?.lastMoves;
    // The first of several is where it stood, but for the start of the run.
    if (moves !== undefined && moves !== before)
      way.push(...(position > 1 && moves.length > 1 ? moves.slice(1) : moves));
    before = moves;
  }
  return way;
}
