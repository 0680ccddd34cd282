/** Edges of the machine as laws see them: real ones, by the port, and forged ones, which differ from a real one in a part. */
import type { Edge, Happening, Rest } from '../../machines/edge.ts';
import type { ReactEvent } from '../../src/core/events.ts';
import type { ReactContext, RunLimits, StatePath } from '../../src/core/snapshot.ts';
import { restOf } from '../../src/step.ts';
import { context } from './contexts.ts';
import * as e from './driver.ts';

/** The last of these events, after all those before it. */
export function edge(events: readonly ReactEvent[], limits: Partial<RunLimits> = {}): Edge {
  const edges = edgesOf(events, limits);
  const last = edges.at(-1);
  if (last === undefined) throw new Error('A walk has at least the edge with which it begins.');
  return last;
}

/** Every edge of a walk, from the one with which it begins; and each state taken up anew from plain data. */
export function edgesOf(events: readonly ReactEvent[], limits: Partial<RunLimits> = {}): readonly Edge[] {
  const started = e.port.start(e.limits(limits));
  const before: Rest = { state: 'OBSERVATION', context: { ...context({}, limits), step: 0 } };
  const edges: Edge[] = [
    { before, event: { type: 'run.started' }, after: restOf(started.snapshot), commands: started.commands },
  ];
  let { snapshot } = started;
  for (const event of events) {
    const stepped = e.port.step(snapshot, event);
    edges.push({
      before: restOf(snapshot),
      event: stepped.expired ?? event,
      after: restOf(stepped.snapshot),
      commands: stepped.commands,
    });
    ({ snapshot } = stepped);
  }
  return edges;
}

/** The run is put away and taken up again where this edge has led to. */
export function restored({ after }: Edge): Edge {
  const snapshot = e.port.restore(after.state, after.context);
  return {
    before: after,
    event: { type: 'run.restored' },
    after: restOf(snapshot),
    commands: e.port.outstanding(snapshot).commands,
  };
}

interface Forgery {
  /** States and members of the contexts, before and after. */
  readonly from?: StatePath;
  readonly to?: StatePath;
  readonly before?: Partial<ReactContext>;
  readonly after?: Partial<ReactContext>;
  /** Limits are the run's own, so that they change on both sides. */
  readonly limits?: Partial<RunLimits>;
  readonly event?: Happening;
  readonly commands?: Edge['commands'];
}

export function forged(real: Edge, { from, to, before, after, limits, event, commands }: Forgery): Edge {
  const rest = (side: Rest, state: StatePath | undefined, changed: Partial<ReactContext> | undefined): Rest => ({
    state: state ?? side.state,
    context:
      changed === undefined && limits === undefined
        ? side.context
        : { ...side.context, ...changed, limits: { ...side.context.limits, ...limits } },
  });
  return {
    before: rest(real.before, from, before),
    event: event ?? real.event,
    after: rest(real.after, to, after),
    commands: commands ?? real.commands,
  };
}

export const without = ({ commands }: Edge, ...types: readonly string[]): Edge['commands'] =>
  commands.filter(({ type }) => !types.includes(type));
