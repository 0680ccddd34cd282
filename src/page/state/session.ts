/** One run that is shown: its recording, where the page stands in it, and what is lit. */
import { createLighting, type Lighting } from './lighting.ts';
import { createPlayer, type Player } from './player.ts';
import { createRecording, type Recording } from './recording.ts';
import type { Source } from './source.ts';
import { createStore, type Store } from './store.ts';

export interface SessionState {
  /** Nothing has come yet. */
  readonly isLoading: boolean;
  /** No event will come any more. */
  readonly isOver: boolean;
  /** The step that a person looks at. */
  readonly step: number | null;
  /** Which steps are unfolded: all or none, but for those that were turned. */
  readonly open: { readonly areAll: boolean; readonly turned: ReadonlySet<number> };
  /** The id of events that cannot be read. */
  readonly failure: string | null;
  /** It was over before the page showed it, and has not gone on: it is read from its ending down. */
  readonly isRecorded: boolean;
}

export interface Session {
  readonly key: string;
  readonly recording: Recording;
  readonly player: Player;
  readonly lighting: Lighting;
  readonly store: Store<SessionState>;
  /** The run was over and is live again. */
  goOn(): void;
  close(): void;
}

export function createSession(source: Source, key: string, isLive: boolean): Session {
  const recording = createRecording();
  const player = createPlayer(recording);
  const store = createStore<SessionState>({
    isLoading: true,
    isOver: false,
    step: null,
    open: { areAll: false, turned: new Set() },
    failure: null,
    isRecorded: !isLive,
  });
  const watch = () =>
    source.watchEvents(key, recording.length, {
      events(events, from) {
        recording.take(events, from);
        player.grown();
        if (store.get().isLoading) store.set({ isLoading: false });
      },
      end: () => store.set({ isOver: true, isLoading: false }),
      reply(reply) {
        recording.arriving(reply);
        player.grown();
      },
      failed: (failure) => store.set({ failure, isLoading: false }),
    });
  let stop = watch();
  // Who plays, or goes to another place, looks at the step there.
  let { position } = player.store.get();
  const unsubscribe = player.store.subscribe(() => {
    const now = player.store.get();
    if (now.position !== position && !now.follows && store.get().step !== null) store.set({ step: null });
    position = now.position;
  });
  const lighting = createLighting(recording, player, !isLive);
  return {
    key,
    recording,
    player,
    lighting,
    store,
    goOn() {
      store.set({ isOver: false, isRecorded: false });
      stop();
      stop = watch();
    },
    close() {
      stop();
      unsubscribe();
      player.close();
      lighting.close();
    },
  };
}
