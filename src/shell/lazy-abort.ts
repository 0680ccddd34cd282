/**
 * An abort signal that is made when somebody reads it. An AbortController with a listener costs more than a whole step of
 * the machine, and most work never looks at its signal.
 */
export interface LazyAbort {
  /** The same signal each time. */
  signal(): AbortSignal;
  /** `why` is for people who look at the signal's reason. */
  abort(why: string): void;
}

export function lazyAbort(): LazyAbort {
  let controller: AbortController | null = null;
  let aborted: string | null = null;
  return {
    signal() {
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

/** The parts, with the signal as a property `signal` that is made when it is read. */
export function withSignal<Parts extends object>(
  parts: Parts,
  abort: LazyAbort,
): Parts & { readonly signal: AbortSignal } {
  const made = { [behind]: abort, ...parts };
  Object.defineProperty(made, 'signal', readsSignal);
  if (has(made, 'signal')) return made;
  throw new TypeError('The property was not defined.');
}

/** The same, as the AI SDK names it. */
export function withAbortSignal<Parts extends object>(
  parts: Parts,
  abort: LazyAbort,
): Parts & { readonly abortSignal: AbortSignal } {
  const made = { [behind]: abort, ...parts };
  Object.defineProperty(made, 'abortSignal', readsSignal);
  if (has(made, 'abortSignal')) return made;
  throw new TypeError('The property was not defined.');
}

function has<Parts extends object, Name extends string>(
  parts: Parts,
  name: Name,
): parts is Parts & { readonly [key in Name]: AbortSignal } {
  return name in parts;
}

const behind: unique symbol = Symbol('abort');

/**
 * One getter for all. A getter in an object literal is a new function for each object, for which V8 makes a new hidden
 * class that outlives the object and keeps alive all that the getter sees: a third of the time of a step was spent on that.
 */
const readsSignal = {
  enumerable: true,
  get(this: { readonly [behind]: LazyAbort }) {
    return this[behind].signal();
  },
};

/** What `fetch` and others reject with, so that tools can tell an abort from a failure by its name. */
function abortError(why: string): DOMException {
  return new DOMException(why, 'AbortError');
}
