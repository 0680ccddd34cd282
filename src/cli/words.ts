/** Words of flags and of traces, as far as they are compared or read. Pure. */
import type { CallResult } from '../core/events.ts';
import type { CallStatus } from '../core/snapshot.ts';
import type { Verdict } from '../core/verdict.ts';

/** Each member of a union, by its own name: one that is missing, or is none, is an error of the type. */
type Each<Name extends string> = { readonly [One in Name]: One };

export const statuses = {
  read: 'read',
  ready: 'ready',
  asking: 'asking',
  started: 'started',
  succeeded: 'succeeded',
  failed: 'failed',
  unknown: 'unknown',
  refused: 'refused',
} as const satisfies Each<CallStatus>;
export const passes = { run: 'run', ask: 'ask', refuse: 'refuse' } as const satisfies Each<Verdict['pass']>;
export const results = {
  succeeded: 'succeeded',
  failed: 'failed',
  unknown: 'unknown',
} as const satisfies Each<CallResult>;

const secondMs = 1_000;

const unitsMs: ReadonlyMap<string, number> = new Map([
  ['s', secondMs],
  ['min', 60 * secondMs],
  ['h', 3_600 * secondMs],
  ['d', 86_400 * secondMs],
  ['w', 7 * 86_400 * secondMs],
]);

/** Milliseconds of a span such as `7d` or `90 min`; NaN where it is none. */
export function spanMs(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6}) ?([a-z]{1,3})$/.exec(text) ?? [];
  return count === '' ? Number.NaN : Number(count) * (unitsMs.get(unit) ?? Number.NaN);
}

/** Such as `3 min`: the largest unit of which there is one. */
export function spanText(milliseconds: number): string {
  const [unit = 's', ofUnit = secondMs] = [...unitsMs].findLast(([, ms]) => milliseconds >= ms) ?? [];
  return `${Math.max(0, Math.floor(milliseconds / ofUnit))} ${unit}`;
}

/** Those of a list such as `save, send`. */
export function namesIn(text: string): string[] {
  return text.split(',').flatMap((part) => part.trim() || []);
}
