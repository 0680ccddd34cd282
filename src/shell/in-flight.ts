/** Work that can be cancelled until it is done. */

export interface InFlight {
  /** Begins work that calls `done` when it is done, perhaps at once, and gives back what cancels it. */
  track(begin: (done: () => void) => () => void): void;
  cancelAll(): void;
}

export function createInFlight(): InFlight {
  const cancels = new Set<() => void>();
  return {
    track(begin) {
      let open = true;
      let cancel = () => {};
      cancel = begin(() => {
        open = false;
        cancels.delete(cancel);
      });
      if (open) cancels.add(cancel);
    },
    cancelAll() {
      for (const cancel of cancels) cancel();
      cancels.clear();
    },
  };
}
