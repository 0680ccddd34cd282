/**
 * An abort signal that is made when somebody reads it. An AbortController with a listener costs more than a whole step of
 * the machine, and most work never looks at its signal.
 */
export interface LazyAbort {
  readonly signal: AbortSignal;
  /** `why` is for people who look at the signal's reason. */
  abort(why: string): void;
}

export function lazyAbort(): LazyAbort {
  let controller: AbortController | null = null;
  let aborted: string | null = null;
  return {
    get signal() {
      if (controller === null) {
        controller = new AbortController();
        if (aborted !== null) controller.abort(abortError(aborted));
      }
      return controller.signal;
    },
    abort(why) {
      aborted ??= why;
      controller?.abort(abortError(why));
    },
  };
}

/** What `fetch` and others reject with, so that tools can tell an abort from a failure by its name. */
function abortError(why: string): DOMException {
  return new DOMException(why, 'AbortError');
}
