import type { Session } from './session.ts';

/** Chooses a step. Where the page stands before it, it goes to where that step is over. */
export function goToStep({ recording, player, store }: Session, step: number): void {
  const view = recording.viewAt(player.store.get().position);
  const isKnown = view?.steps.some(({ number }) => number === step) ?? false;
  const next = recording.stepStarts.find((start) => start.step > step);
  if (!isKnown) player.seek(next === undefined ? recording.length : next.position - 1);
  store.set({ step });
}
