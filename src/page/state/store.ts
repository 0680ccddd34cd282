/** A value that views watch. A change tells everybody at once; drawing waits for the next frame (`main.tsx`). */
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';

export interface Store<State extends object> {
  get(): State;
  set(change: Partial<State>): void;
  /** Gives what ends it. */
  subscribe(listener: () => void): () => void;
}

export function createStore<State extends object>(initial: State): Store<State> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(change) {
      state = { ...state, ...change };
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What `select` takes from the store; the view is drawn again only when that is another value. */
export function useStore<State extends object, Selected>(
  store: Store<State>,
  select: (state: State) => Selected,
): Selected {
  const [, redraw] = useReducer((count: number, _: null) => count + 1, 0);
  const selected = select(store.get());
  const drawn = useRef({ selected, select });
  drawn.current = { selected, select };
  useLayoutEffect(() => {
    const check = () => {
      if (!Object.is(drawn.current.select(store.get()), drawn.current.selected)) redraw(null);
    };
    check();
    return store.subscribe(check);
  }, [store]);
  return selected;
}
