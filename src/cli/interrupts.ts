/** Ctrl-C and what is like it: the first one ends the run in good order, the second one the process. */

export interface Interrupts {
  /** What the first one does from now on. Before there is a run it ends the process. */
  onFirst(stop: (signal: NodeJS.Signals) => void): void;
  /** The exit code of the signal that came, or null. */
  exitCode(): number | null;
}

/** 128 and the number of the signal, as shells have it. */
const exitCodes: ReadonlyMap<NodeJS.Signals, number> = new Map([
  ['SIGINT', 130],
  ['SIGTERM', 143],
]);

/** npm and tsx pass on a signal that the terminal has also sent: within this time it is the same key press. */
const samePressMs = 100;

/** `leave` ends the process at once. Called once a process. */
export function watchInterrupts(leave: (exitCode: number) => void): Interrupts {
  let stop: ((signal: NodeJS.Signals) => void) | null = null;
  let first: { readonly atMs: number; readonly exitCode: number } | null = null;

  const onSignal = (signal: NodeJS.Signals) => {
    const exitCode = exitCodes.get(signal) ?? 1;
    if (first !== null && performance.now() - first.atMs < samePressMs) return;
    if (first !== null || stop === null) return leave(exitCode);
    first = { atMs: performance.now(), exitCode };
    stop(signal);
  };
  for (const signal of exitCodes.keys()) process.on(signal, onSignal);
  return {
    onFirst: (wanted) => {
      stop = wanted;
    },
    exitCode: () => first?.exitCode ?? null,
  };
}
