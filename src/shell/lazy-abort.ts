/**
 * An abort signal that is made when somebody reads it. An AbortController with a listener costs more than a whole step of
 * the machine, and most work never looks at its signal.
 */
export interface LazyAbort {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
}

export function lazyAbort(): LazyAbort {
  let controller: AbortController | null = null;
  let aborted: { readonly reason: unknown } | null = null;
  return {
    get signal() {
      if (controller === null) {
        controller = new AbortController();
        if (aborted !== null) controller.abort(aborted.reason);
      }
      return controller.signal;
    },
    abort(reason) {
      aborted ??= { reason };
      controller?.abort(reason);
    },
  };
}
