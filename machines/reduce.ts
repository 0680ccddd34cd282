/**
 * A reducer as an action of the machine. Pure.
 *
 * It is XState's own `assign`, carried out more cheaply: `assign` makes a spawner and computes the state value and the tags
 * anew for each action (half the cost of a step), while a reducer changes the context alone. Like the port it leans on
 * what is semi-internal to XState, an action that resolves itself; `test/machine/port.test.ts` pins that.
 */
import { type AnyMachineSnapshot, assign } from 'xstate';
import type { ReactEvent } from '../src/core/events.ts';
import type { ReactContext } from '../src/core/snapshot.ts';

interface Asked {
  readonly context: ReactContext;
  readonly event: ReactEvent;
}

export function reduce(reducer: (context: ReactContext, event: ReactEvent) => ReactContext) {
  const action = assign<ReactContext, ReactEvent, undefined, ReactEvent, never>(({ context, event }) =>
    reducer(context, event),
  );
  const resolve = (_scope: unknown, snapshot: AnyMachineSnapshot, { context, event }: Asked) => [
    { ...snapshot, context: reducer(context, event) },
  ];
  return Object.assign(action, { resolve });
}
