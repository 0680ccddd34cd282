/** Some processes on one machine: each dies now and then, and another takes its place a while later. */
import type { Agent } from '../../../src/index.ts';
import type { Store } from '../../../src/store.ts';
import type { VirtualClock } from '../../../src/testing.ts';
import type { Random } from '../../support/random.ts';
import { type Process, startProcess } from './machine-room.ts';

export interface Host {
  readonly process: Process;
  readonly agent: Agent;
}

export interface Hosts {
  /** Any that is alive; null where none is. */
  any(random: Random): Host | null;
  readonly crashes: () => number;
  /** From now on none dies. */
  calm(): void;
  /** Timers that are armed in all that are alive. */
  armed(): number;
}

interface Given {
  readonly clock: VirtualClock;
  readonly disk: Store;
  readonly random: Random;
  readonly count: number;
  /** The longest life. */
  readonly lifeMs: number;
  readonly agentOf: (process: Process) => Agent;
}

const shortestLifeMs = 120_000;
const longestDownMs = 600_000;

export function startHosts({ clock, disk, random, count, lifeMs, agentOf }: Given): Hosts {
  const places = new Map<number, Host>();
  const planned = new Set<() => void>();
  let crashes = 0;
  const later = (ms: number, work: () => void) => {
    const cancel = clock.setTimer(ms, () => {
      planned.delete(cancel);
      work();
    });
    planned.add(cancel);
  };
  const start = (place: number) => {
    const process = startProcess(clock, disk, random);
    places.set(place, { process, agent: agentOf(process) });
    later(shortestLifeMs + random(lifeMs), () => {
      crashes++;
      places.delete(place);
      process.die();
      later(1_000 + random(longestDownMs), () => start(place));
    });
  };
  for (let place = 0; place < count; place++) start(place);
  return {
    any(choice) {
      const alive = [...places.values()];
      return alive[choice(Math.max(1, alive.length))] ?? null;
    },
    crashes: () => crashes,
    calm() {
      for (const cancel of planned) cancel();
      planned.clear();
      for (let place = 0; place < count; place++) if (!places.has(place)) start(place);
      for (const cancel of planned) cancel();
      planned.clear();
    },
    armed: () => [...places.values()].reduce((sum, { process }) => sum + process.armed(), 0),
  };
}
