/**
 * What it takes to go on from an end. A part of its own: bundles for the edge leave it out unless they ask for it
 * (`no-going-on.ts`).
 */
import { mayGoOn } from '../../machines/reopen.ts';
import type { StopReason } from '../core/stop-reasons.ts';

export { reopened } from '../../machines/reopen.ts';
export { probeCall } from '../dispatch/probe.ts';
export { onceTakenUp } from './crash-loop.ts';
export { broughtForward } from './migrate-snapshot.ts';
export { stillSpent } from './still-spent.ts';
export { untold, withUntold } from './untold.ts';

/** What to do where no run goes on from such an end; null where one does. */
export function whyNotOn(stopReason: StopReason): string | null {
  return mayGoOn(stopReason) ? null : 'Start a new one.';
}
