/**
 * A reply that can be left at any moment, whatever the foreign code or the network does that it waits for. A generator's own
 * `return()` waits for the `next()` before it; here what it waits for is let go first.
 */
import type { ModelEvent } from '../../core/model.ts';

/** `left`: the reply is no longer wanted. */
export type Waited<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'thrown'; readonly thrown: unknown }
  | { readonly kind: 'left' };

export interface Leave {
  readonly left: boolean;
  /** Lets go of what is waited for now, and of all that would be later. */
  leave(): void;
  /**
   * Calls foreign code and waits for its result, no longer than until the reply is left. A value that comes later goes to
   * `afterwards`. Never rejects, and leaves no rejection unhandled.
   */
  wait<Value>(work: () => Value | PromiseLike<Value>, afterwards?: (value: Value) => void): Promise<Waited<Value>>;
}

/** The events of a reply, whose `return()` lets go first: it settles as soon as what makes the events has cleaned up. */
export function leavable(events: AsyncGenerator<ModelEvent>, letGo: () => void): AsyncIterableIterator<ModelEvent> {
  return {
    next: () => events.next(),
    return() {
      letGo();
      return events.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Calls foreign code whose result nobody wants: nothing that it throws or rejects with is heard of. */
export function unheeded(work: () => unknown): void {
  called(work).then(nothing, nothing);
}

export function createLeave(): Leave {
  let left = false;
  let letGo = nothing;
  return {
    get left() {
      return left;
    },
    leave() {
      left = true;
      letGo();
    },
    wait(work, afterwards) {
      if (left) return Promise.resolve({ kind: 'left' });
      // One promise for each wait: handlers put on a shared one would be kept until the end of the reply.
      return new Promise((resolve) => {
        letGo = () => resolve({ kind: 'left' });
        called(work).then(
          (value) => (left ? afterwards?.(value) : resolve({ kind: 'value', value })),
          (thrown: unknown) => resolve({ kind: 'thrown', thrown }),
        );
      });
    },
  };
}

function nothing(): void {}

/** Also what is thrown at once, or while `then` is read, rejects. */
async function called<Value>(work: () => Value | PromiseLike<Value>): Promise<Value> {
  return await work();
}
