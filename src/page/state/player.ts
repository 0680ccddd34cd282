/** Where in a run the page stands: at its end, or at an event of its past, still or playing. */

import type { Recording } from './recording.ts';
import { createStore, type Store } from './store.ts';

export const speeds = [0.5, 1, 2, 4, 8, 16] as const;
export type Speed = (typeof speeds)[number];
export type Stride = 'event' | 'step';

export interface PlayerState {
  /** How many events there are, and behind how many of them the page stands. */
  readonly length: number;
  readonly position: number;
  /** At the end, and going with it. */
  readonly follows: boolean;
  readonly isPlaying: boolean;
  readonly speed: Speed;
  /** Changes with every piece of a reply. */
  readonly pieces: number;
}

export interface Player {
  readonly store: Store<PlayerState>;
  /** The recording has more. */
  grown(): void;
  seek(position: number): void;
  go(stride: Stride, direction: 1 | -1): void;
  first(): void;
  last(): void;
  play(): void;
  pause(): void;
  setSpeed(speed: Speed): void;
  close(): void;
}

/** A pause of the run is played no longer than this. */
const longestGapMs = 2_000;

export function createPlayer(recording: Recording): Player {
  const store = createStore<PlayerState>({
    length: 0,
    position: 0,
    follows: true,
    isPlaying: false,
    speed: 1,
    pieces: 0,
  });

  const seek = (position: number) => {
    const to = Math.min(Math.max(1, position), recording.length);
    store.set({ position: to, follows: to === recording.length });
  };
  const { play, pause } = playing(recording, store, seek);

  return {
    store,
    grown() {
      const { follows, position, pieces } = store.get();
      const { length } = recording;
      store.set({ length, pieces: pieces + 1, position: follows ? length : position });
    },
    seek(position) {
      pause();
      seek(position);
    },
    go(stride, direction) {
      pause();
      const { position } = store.get();
      seek(stride === 'event' ? position + direction : stepFrom(recording, position, direction));
    },
    first() {
      pause();
      seek(1);
    },
    last() {
      pause();
      seek(recording.length);
    },
    play() {
      if (store.get().position >= recording.length) seek(1);
      play();
    },
    pause,
    setSpeed: (speed) => store.set({ speed }),
    close: pause,
  };
}

/** Goes on from event to event as the run did, `speed` times as fast. */
function playing(recording: Recording, store: Store<PlayerState>, seek: (position: number) => void) {
  let frame = 0;
  const pause = () => {
    cancelAnimationFrame(frame);
    if (store.get().isPlaying) store.set({ isPlaying: false });
  };

  /** Plays what the time since the last frame has room for; several events at once where the run was quick. */
  const run = (then: number, left: number) => {
    frame = requestAnimationFrame((now) => {
      const { position, speed } = store.get();
      let room = left + (now - then) * speed;
      let to = position;
      while (to < recording.length && gapMs(recording, to) <= room) {
        room -= gapMs(recording, to);
        to += 1;
      }
      if (to !== position) seek(to);
      if (to < recording.length) run(now, room);
      else pause();
    });
  };

  const play = () => {
    cancelAnimationFrame(frame);
    store.set({ isPlaying: true });
    run(performance.now(), 0);
  };
  return { play, pause };
}

/** From the event at the position to the next one. */
function gapMs(recording: Recording, position: number): number {
  const here = recording.eventAt(position)?.wallMs;
  const next = recording.eventAt(position + 1)?.wallMs;
  return here === undefined || next === undefined ? 0 : Math.max(0, Math.min(next - here, longestGapMs));
}

/** Forward to where the next step has begun; back to where this one, or the one before, has. */
function stepFrom({ stepStarts, length }: Recording, position: number, direction: 1 | -1): number {
  if (direction === 1) return stepStarts.find((start) => start.position > position)?.position ?? length;
  return stepStarts.findLast((start) => start.position < position)?.position ?? 1;
}
