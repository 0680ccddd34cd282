/** The target `machine`: random walks through the port, with every law on every edge. Accepts a machine that was changed. */
import { type Edge, nameOf } from '../../machines/edge.ts';
import { checkLaws } from '../../machines/laws.ts';
import { rank } from '../../machines/rank.ts';
import type { RunLimits } from '../core/snapshot.ts';
import { createPort, type Port, type ReactSnapshot, stateOf } from '../step.ts';
import { broken, type FuzzTarget, feed } from './fuzz-target.ts';
import { eventOf, type Turn, walkLimits, walks } from './fuzz-walk.ts';

export interface Walk {
  readonly limits: RunLimits;
  readonly turns: readonly Turn[];
}

export const machineTarget: FuzzTarget = {
  name: 'machine',
  takes: ['machine'],
  tells: 'random walks of the machine, fitting events and foreign ones: every law on every edge',
  runs: 3_000,
  feed: (fc, { machine }) => {
    const port = createPort(machine ?? undefined);
    return feed<Walk>({
      fc,
      draws: fc.record({ limits: walkLimits(fc), turns: walks(fc) }),
      holds: (walk) => {
        followWalk(port, walk, (edge) => mustBeLawful(edge));
      },
      shows: (walk) => ({ limits: walk.limits, events: eventsOf(port, walk) }),
    });
  },
};

/** One walk from the first state; `meet` sees each edge. */
export function followWalk(port: Port, { limits, turns }: Walk, meet: (edge: Edge) => void): ReactSnapshot {
  const started = port.start(limits);
  if (started.failed !== undefined) throw broken(`The machine failed on its first state: ${started.failed.message}`);
  let { snapshot } = started;
  for (const turn of turns) {
    const event = eventOf(turn, nameOf(stateOf(snapshot)), snapshot.context);
    const stepped = port.step(snapshot, event);
    const { failed } = stepped;
    if (failed !== undefined && event.type !== 'machine.failed')
      throw broken(`The machine failed on ${event.type}: ${failed.message}`);
    meet({
      before: { state: stateOf(snapshot), context: snapshot.context },
      event: stepped.expired ?? event,
      after: { state: stateOf(stepped.snapshot), context: stepped.snapshot.context },
      commands: stepped.commands,
    });
    ({ snapshot } = stepped);
  }
  return snapshot;
}

function mustBeLawful(edge: Edge): void {
  const laws: string[] = [...checkLaws(edge)];
  if (rank(edge.after).some((part) => part < 0)) laws.push('no part of the rank is below 0');
  if (laws.length === 0) return;
  const path = `${nameOf(edge.before.state)} —${edge.event.type}→ ${nameOf(edge.after.state)}`;
  throw broken(`The edge ${path} breaks the law "${laws.join('", "')}"`);
}

/** The events of a walk as they were sent, up to the first broken law. */
function eventsOf(port: Port, walk: Walk): readonly object[] {
  const events: object[] = [];
  try {
    followWalk(port, walk, (edge) => {
      events.push({ ...edge.event, state: nameOf(edge.after.state) });
      mustBeLawful(edge);
    });
  } catch {
    // The example is shown because of this.
  }
  return events;
}
