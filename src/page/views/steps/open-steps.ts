import { useMemo } from 'preact/hooks';
import type { Session } from '../../state/session.ts';
import { useStore } from '../../state/store.ts';

export interface OpenSteps {
  isOpen(step: number): boolean;
  readonly toggle: (step: number) => void;
  readonly openAll: () => void;
  readonly closeAll: () => void;
}

/** Which steps are unfolded: all or none, but for those that were turned. */
export function useOpenSteps({ store }: Session): OpenSteps {
  const open = useStore(store, (state) => state.open);
  const actions = useMemo(
    () => ({
      toggle: (step: number) => {
        const { areAll, turned } = store.get().open;
        const next = new Set(turned);
        if (!next.delete(step)) next.add(step);
        store.set({ open: { areAll, turned: next } });
      },
      openAll: () => store.set({ open: { areAll: true, turned: new Set() } }),
      closeAll: () => store.set({ open: { areAll: false, turned: new Set() } }),
    }),
    [store],
  );
  return { ...actions, isOpen: (step) => open.areAll !== open.turned.has(step) };
}
