/** Many runs at once against servers that fail, each compared with what its script implies. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome, TraceEvent } from '../../src/index.ts';
import { createRandom } from '../support/random.ts';
import type { FaultKind } from './faults.ts';
import { budget, type Implied, implied } from './implied.ts';
import { type Keeping, type KeptVerdict, openKeeping, type StoreKind } from './keeping.ts';
import { lanes, type OpenLanes, openLanes, type World } from './lanes.ts';
import { live } from './lives.ts';
import { createMemory, type MemoryVerdict } from './memory.ts';
import { drawScript, type RunScript, torn } from './script.ts';
import { type SoakServers, startServers, taskWords } from './server.ts';
import { createTally, type Tally } from './tally.ts';

export interface SoakOptions {
  readonly seconds: number;
  /** At once. */
  readonly runs: number;
  readonly seed: number;
  /** Of requests that meet a fault, from 0 to 1. */
  readonly faults: number;
  /** How long a model may say nothing before the loop leaves it. */
  readonly silenceMs: number;
  /** Null: runs are not stored. */
  readonly store: StoreKind | null;
  /** Ends it early. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export interface Progress {
  readonly tally: Tally;
  readonly requests: number;
  readonly openSockets: number;
  readonly different: number;
  /** Lines that became durable. */
  readonly lines: number | null;
  readonly leftMs: number;
}

export interface Difference {
  readonly script: RunScript;
  /** What differs, in words. */
  readonly wrong: readonly string[];
  readonly trace: readonly TraceEvent[];
}

export interface Soaked {
  readonly tally: Tally;
  readonly requests: number;
  readonly faults: ReadonlyMap<FaultKind, number>;
  readonly differences: number;
  /** The first few in full. */
  readonly shown: readonly Difference[];
  readonly sockets: { readonly most: number; readonly bound: number; readonly left: number };
  readonly memory: MemoryVerdict;
  /** Null where runs are not stored. */
  readonly kept: KeptVerdict | null;
  /** How often stored runs were taken up again. */
  readonly takenUp: number;
  /** What still keeps the process alive, by kind, beside what did so before. */
  readonly handles: readonly string[];
  readonly interrupted: boolean;
}

interface Soak {
  readonly options: SoakOptions;
  readonly servers: SoakServers;
  readonly open: OpenLanes;
  readonly keeping: Keeping | null;
  readonly tally: Tally;
  readonly shown: Difference[];
  different: number;
  next: number;
  takenUp: number;
}

/** A failure that repeats itself is not printed a thousand times. */
const mostShown = 5;
const lookEveryMs = 500;
const mostTendEveryMs = 2_000;
/** So long, at most, a stored run stays behind its end. */
const mostKeptMs = 10_000;

export async function soak(options: SoakOptions): Promise<Soaked> {
  const before = handles();
  const { seconds, store, silenceMs } = options;
  const servers = await startServers();
  const keeping = store === null ? null : openKeeping(store, { keepMs: Math.min(mostKeptMs, 200 * seconds) });
  const open = openLanes(servers, { silenceMs, stores: keeping?.stores ?? [] });
  const tally = createTally(budget.maxSteps);
  const current: Soak = { options, servers, open, keeping, tally, shown: [], different: 0, next: 0, takenUp: 0 };
  const memory = createMemory();
  const untilMs = performance.now() + 1_000 * seconds;
  const goesOn = () => performance.now() < untilMs && !options.signal.aborted;

  const workers = Array.from({ length: options.runs }, async () => {
    while (goesOn()) await oneRun(current);
  });
  const tendEveryMs = Math.min(mostTendEveryMs, 50 * seconds);
  const tending =
    keeping === null ? [] : [keeping.prune, keeping.look].map((work) => nowAndThen(work, tendEveryMs, goesOn));
  while (goesOn()) {
    await sleep(Math.min(lookEveryMs, untilMs - performance.now()), null, { signal: options.signal }).catch(() => {});
    memory.look();
    options.onProgress(progressOf(current, untilMs - performance.now()));
  }
  await Promise.all([...workers, ...tending]);
  const kept = (await keeping?.finish(options.signal.aborted)) ?? null;

  await open.close();
  await closed(servers);
  const left = servers.sockets.open;
  await servers.close();
  return {
    tally,
    requests: servers.requests(),
    faults: servers.faults,
    differences: current.different,
    shown: current.shown,
    sockets: { most: servers.sockets.most, bound: open.pools * options.runs, left },
    memory: memory.verdict(),
    kept,
    takenUp: current.takenUp,
    handles: await leftHandles(before),
    interrupted: options.signal.aborted,
  };
}

function progressOf({ servers, tally, different, keeping }: Soak, leftMs: number): Progress {
  const lines = keeping?.lines() ?? null;
  return { tally, requests: servers.requests(), openSockets: servers.sockets.open, different, lines, leftMs };
}

async function nowAndThen(work: () => Promise<void>, everyMs: number, goesOn: () => boolean): Promise<void> {
  for (let nextMs = 0; goesOn(); await sleep(lookEveryMs / 10)) {
    if (performance.now() < nextMs) continue;
    await work();
    nextMs = performance.now() + everyMs;
  }
}

async function oneRun(soak: Soak): Promise<void> {
  const { options, servers, open, tally, keeping } = soak;
  const id = soak.next++;
  const script = drawScript(id, {
    seed: seedOf(options.seed, id),
    lanes,
    faultShare: options.faults,
    isStored: options.store !== null,
  });
  const world: World = { done: [], keys: [], abort: () => {} };
  const runId = `soak-${options.seed}-${id}`;
  servers.expect(script);
  keeping?.began(runId);
  const lived = await live(script, open, { task: `${taskWords}${id}`, runId, world, signal: options.signal });
  const { outcome, trace, lives, refused } = lived;
  const requests = servers.forget(id);
  const last = (await keeping?.stores[0].read(runId))?.at(-1);
  keeping?.ended(runId);
  if (options.signal.aborted) return;
  tally.add(outcome, trace);
  soak.takenUp += lives - 1;
  const isStored = keeping === null || (last?.type === 'run.ended' && last.stopReason === outcome.stopReason);
  const wrong = [
    ...differences(outcome, { world, requests, implied: implied(script) }),
    ...(refused === null ? [] : [`it could not be taken up: ${refused}`]),
    ...(isStored ? [] : [`what is stored ends with ${JSON.stringify(last)}`.slice(0, 600)]),
  ];
  if (wrong.length === 0) return;
  soak.different++;
  if (soak.shown.length < mostShown) soak.shown.push({ script, wrong, trace });
}

/** So that each run is drawn alone, in whatever order runs begin. */
function seedOf(seed: number, id: number): number {
  return createRandom((seed + Math.imul(id, 0x9e3779b9)) >>> 0)(2 ** 32);
}

interface Seen {
  readonly world: World;
  readonly requests: number;
  readonly implied: Implied;
}

function differences(outcome: Outcome, { world, requests, implied }: Seen): readonly string[] {
  const answer = outcome.ok ? outcome.answer : null;
  const unknown = outcome.unknown.map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`);
  const used = JSON.stringify([outcome.steps, answer]);
  const rows: readonly (readonly [string, unknown, unknown])[] = [
    ['the end', implied.stopReason, outcome.stopReason],
    ['the answer', implied.answer, answer],
    ['what the tools did', implied.done, world.done],
    ['the steps', implied.steps, outcome.usage.steps],
    ['the requests', implied.requests, requests],
    ['effects of which nobody knows', implied.untold, unknown],
    ['effects done twice', [], world.keys.filter((key, at) => world.keys.indexOf(key) !== at)],
    ['a store that failed', null, outcome.storeError?.message ?? null],
    ['a reply that failed is used', false, used.includes(torn)],
    ['an invented observation is used', false, used.includes('made up')],
  ];
  return rows.flatMap(([what, due, came]) =>
    JSON.stringify(due) === JSON.stringify(came)
      ? []
      : [`${what}: ${JSON.stringify(due)} is implied, and ${JSON.stringify(came)} came`],
  );
}

/** The kernel takes a moment to tell the servers. */
async function closed({ sockets }: SoakServers): Promise<void> {
  for (let turn = 0; turn < 100 && sockets.open > 0; turn++) await sleep(10);
}

/** Standard streams and timers that the caller holds are not ours. */
function handles(): readonly string[] {
  return process.getActiveResourcesInfo().filter((kind) => !['TTYWrap', 'PipeWrap', 'FSReqCallback'].includes(kind));
}

async function leftHandles(before: readonly string[]): Promise<readonly string[]> {
  const left = () => {
    const known = [...before];
    return handles().filter((kind) => {
      const place = known.indexOf(kind);
      if (place !== -1) known.splice(place, 1);
      return place === -1;
    });
  };
  // Sockets that were destroyed are let go a turn later.
  for (let turn = 0; turn < 20 && left().length > 0; turn++) await new Promise((resolve) => setImmediate(resolve));
  return left();
}
