/** All that is tried: every line and every tool of the run, some of them twice in one run, and moments that nobody chose. */
import { type Kill, nameOfKill } from './kill.ts';
import type { Played, Trial } from './play.ts';

/** `whole`: the run that nobody kills, which tells how many lines and tools there are. */
export function pointsOf({ report: { lines, calls } }: Played): readonly Kill[] {
  const atLines = (['before', 'given', 'durable'] as const).flatMap((at) =>
    Array.from({ length: lines }, (_, line): Kill => ({ at, line })),
  );
  const inTools = (['started', 'done'] as const).flatMap((at) =>
    Array.from({ length: calls }, (_, call): Kill => ({ at, call })),
  );
  return [...atLines, ...inTools];
}

/** Two processes die, and the second soon after it has taken the run up: also before its checkpoint is written. */
export function twicePoints(points: readonly Kill[], draw: () => number, count: number): readonly (readonly Kill[])[] {
  return Array.from({ length: count }, (_, index) => {
    const first = points[Math.floor(draw() * points.length)];
    const at = (['before', 'given', 'durable'] as const)[index % 3] ?? 'before';
    const second: Kill = { at, line: index % 8 };
    return first === undefined ? [second] : [first, second];
  });
}

/** Up to three processes are killed at moments of the time that the whole run takes. */
export function outsidePoints(wholeMs: number, draw: () => number, count: number): readonly (readonly Kill[])[] {
  const moment = (): Kill => ({ at: 'outside', afterMs: Math.round(draw() * wholeMs * 10) / 10 });
  return Array.from({ length: count }, (_, index) => Array.from({ length: 1 + (index % 3) }, moment));
}

/** The same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A kill that must come: its place is one of the whole run. */
export function mustBeKilled({ kills: [first] }: Trial): boolean {
  return first !== undefined && first.at !== 'outside';
}

export function nameOf({ kind, kills }: Trial): string {
  return `${kind}: ${kills.map(nameOfKill).join(', then ')}`;
}
