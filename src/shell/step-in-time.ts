/**
 * Steps the machine. Where an event comes behind the deadline the port puts the deadline in its place; here it is told what is open
 * at that moment beside it: calls that wait, and what agents that run as tools have spent.
 */
import type { ClockExpired, ReactEvent } from '../core/events.ts';
import type { Port, ReactSnapshot, Stepped } from '../step.ts';
import type { Effects } from './effects.ts';
import { addSpent } from './lending.ts';

export function stepInTime(port: Port, snapshot: ReactSnapshot, event: ReactEvent, open: Effects['open']): Stepped {
  const stepped = port.step(snapshot, event);
  if (stepped.expired === undefined) return stepped;
  const { atMs, tokens, spent } = stepped.expired;
  const left = open();
  const all = [spent, left.spent].filter((part) => part !== undefined);
  const expired: ClockExpired = {
    type: 'clock.expired',
    atMs,
    ...left,
    ...('tokens' in event ? { tokens } : {}),
    ...(all.length === 0 ? {} : { spent: all.reduce(addSpent) }),
  };
  return { ...port.step(snapshot, expired), ignored: true, expired };
}
