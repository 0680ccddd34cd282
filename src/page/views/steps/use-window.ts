/** Which steps of a long run are in the page: those around the one that is looked at, and more where a person scrolls on. */
import { useReducer, useRef } from 'preact/hooks';

/** Steps around the one that is looked at, and with each step further. */
const around = 20;
const further = 40;
/** In the page at once. */
const most = 160;

export interface Shown {
  /** Indexes: from the first up to, and without, the last. */
  readonly first: number;
  readonly last: number;
  readonly earlier: () => void;
  readonly later: () => void;
}

/** `focus`: the index of the step that must be among them. */
export function useWindow(count: number, focus: number): Shown {
  const [, redraw] = useReducer((times: number, _: null) => times + 1, 0);
  const kept = useRef({ first: 0, last: 0, focus: -1 });
  const { first, last } = kept.current;
  // A person may have scrolled away from it.
  const isWithin = focus === kept.current.focus || (focus >= first && focus < last);
  // At the end it grows with the run.
  if (!isWithin && focus === last && focus - first < most) kept.current = { first, last: focus + 1, focus };
  else if (!isWithin) kept.current = { first: Math.max(0, focus - around), last: focus + around, focus };
  else kept.current = { first, last, focus };
  const change = (next: { first: number; last: number }) => {
    kept.current = { ...next, focus };
    redraw(null);
  };
  return {
    first: kept.current.first,
    last: Math.min(count, kept.current.last),
    earlier: () => {
      const next = Math.max(0, kept.current.first - further);
      change({ first: next, last: Math.min(kept.current.last, next + most) });
    },
    later: () => {
      const next = kept.current.last + further;
      change({ first: Math.max(kept.current.first, next - most), last: next });
    },
  };
}

/** The step that was chosen, or the one that the run came to: whichever changed last. */
export function useFocus(chosen: number | null, current: number): number {
  const seen = useRef({ chosen, current, focus: chosen ?? current });
  const before = seen.current;
  const focus =
    chosen !== before.chosen && chosen !== null ? chosen : current !== before.current ? current : before.focus;
  seen.current = { chosen, current, focus };
  return focus;
}
