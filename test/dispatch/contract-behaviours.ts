/** What tools do, by the names of the cases. */
import type { Called, Does, RowTool } from './contract-play.ts';

export const returns =
  (value: unknown): Does =>
  ({ commit }) => {
    commit();
    return value;
  };
/** Makes the value when it is called: for what can be used up. */
export const makes =
  (make: () => unknown): Does =>
  () =>
    make();
export const throws =
  (thrown: unknown): Does =>
  () => {
    throw thrown;
  };
export const rejects =
  (thrown: unknown): Does =>
  () =>
    Promise.reject(thrown);
export const hangs: Does = () => new Promise(() => {});
export const delays =
  (ms: number, value: unknown): Does =>
  (called) =>
    after(ms, called, () => {
      called.commit();
      return value;
    });
export const rejectsOnAbort: Does = ({ options: { abortSignal } }) =>
  new Promise((_, reject) => {
    abortSignal.addEventListener('abort', () => reject(abortSignal.reason), { once: true });
  });
export const commitsThenHangs: Does = ({ commit }) => {
  commit();
  return new Promise(() => {});
};
/** It hears of no abort. */
export const commitsLate = (ms: number, value: unknown): Does => delays(ms, value);
/** One entry a call; the last goes on. */
export const sequence =
  (...entries: readonly Does[]): Does =>
  (called) =>
    entries[Math.min(called.nth, entries.length) - 1]?.(called);
export const huge = (characters: number, fill: string): Does => returns(fill.repeat(characters));
export const binary = (bytes: number): Does => returns(new Uint8Array(bytes));
export const streams = (...values: readonly unknown[]): Does =>
  async function* () {
    yield* values;
  };
export const throwsFatal: Does = () => {
  throw Object.assign(new Error('The account is closed.'), { fatal: true });
};
export const abortsRun: Does = ({ abort }) => {
  abort();
  return 'seen';
};

function after(ms: number, { timers }: Called, make: () => unknown): Promise<unknown> {
  return new Promise((resolve) => {
    timers.setTimer(ms, () => resolve(make()));
  });
}

export const marks = {
  readOnly: { readOnly: true },
  idempotent: { idempotent: true },
  unmarked: {},
  sideEffect: { sideEffect: true, needsApproval: false },
} as const satisfies Readonly<Record<string, Partial<RowTool>>>;
export type Mark = keyof typeof marks;

export const read = (does: Does, more: Partial<RowTool> = {}): RowTool => ({ does, readOnly: true, ...more });
/** Asks a person. */
export const asking = (does: Does = returns('sent'), more: Partial<RowTool> = {}): RowTool => ({
  does,
  sideEffect: true,
  ...more,
});
/** An effect that runs unasked. */
export const acts = (does: Does = returns('sent'), more: Partial<RowTool> = {}): RowTool => ({
  does,
  sideEffect: true,
  needsApproval: false,
  ...more,
});

export const isMark = (name: string): name is Mark => Object.hasOwn(marks, name);
