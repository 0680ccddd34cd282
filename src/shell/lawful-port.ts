/**
 * The port with the laws of the machine checked on every step, for development and tests: a broken law is a defect, and
 * ends the run as one (`internal_error`), before any command of that step is performed.
 */
import { initialContext } from '../../machines/context.ts';
import { type Happening, isUnchanged, type Rest } from '../../machines/edge.ts';
import { checkLaws } from '../../machines/laws.ts';
import type { MachineFailed } from '../core/events.ts';
import { type Port, restOf, type Stepped } from '../step.ts';

export function lawfulPort(port: Port): Port {
  /** What was stepped to, or the run ended by what is wrong with it. */
  const held = (
    before: Rest,
    event: Happening,
    stepped: Stepped,
    fail: (failed: MachineFailed) => Stepped,
  ): Stepped => {
    if (stepped.failed !== undefined) return stepped;
    const { commands } = stepped;
    const edge = { before, event: stepped.expired ?? event, after: restOf(stepped.snapshot), commands };
    if (isUnchanged(edge) && commands.length === 0) return stepped;
    const broken = checkLaws(edge);
    if (broken.length === 0) return stepped;
    const message = `The machine broke a law of its own on ${event.type}: ${broken.join('; ')}.`;
    const failed: MachineFailed = { type: 'machine.failed', atMs: 'atMs' in event ? event.atMs : 0, message };
    return { ...fail(failed), ignored: true, failed };
  };
  return {
    ...port,
    start(limits) {
      const before = { state: 'OBSERVATION', context: initialContext({ limits }) };
      const first = port.start(limits);
      return held(before, { type: 'run.started' }, first, (failed) => port.step(first.snapshot, failed));
    },
    reopen(ended, limits) {
      const before = { state: 'ERROR', context: ended };
      const first = port.reopen(ended, limits);
      return held(before, { type: 'run.restored' }, first, (failed) => port.step(first.snapshot, failed));
    },
    step(snapshot, event) {
      const stepped = port.step(snapshot, event);
      // The step itself is not taken: none of its commands is performed.
      return held(restOf(snapshot), event, stepped, (failed) => port.step(snapshot, failed));
    },
  };
}

/** Whether laws are checked where nobody says: `NODE_ENV` is `development` or `test`, as test runners set it. */
export function checksByDefault(): boolean {
  const environment = typeof process === 'undefined' ? undefined : process.env?.NODE_ENV;
  return environment === 'development' || environment === 'test';
}
