/**
 * Hours and days of users on the virtual clock, in one process: their processes die, people answer a day later, limits are
 * raised, and each night what has ended leaves the store. From one seed, and the same every time.
 */
import { messageOf } from '../../../src/core/message-of.ts';
import { memoryStore, prune, type Store } from '../../../src/store.ts';
import { virtualClock } from '../../../src/testing.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { type MemoryVerdict, verdictOn } from '../memory.ts';
import { agentOf, type World } from './agent.ts';
import { type Written, watchedDisk } from './disk.ts';
import { differences, keyOf } from './judge.ts';
import { type Hosts, startHosts } from './machines.ts';
import { drawStory, type Story, type Waits } from './story.ts';
import { type Around, liveThrough, sleep, type Told } from './user.ts';

export interface HoursOptions {
  /** In which runs begin; those that go on then come to their ends. */
  readonly hours: number;
  readonly users: number;
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly onHour: (hour: Hour) => void;
}

/** How it stands at the end of an hour. */
export interface Hour {
  readonly hour: number;
  readonly ended: number;
  readonly live: number;
  readonly crashes: number;
  readonly stored: { readonly runs: number; readonly bytes: number };
  /** Bytes of the heap behind a collection, without what the store holds; null where this process cannot collect. */
  readonly heap: number | null;
  /** Timers that are armed. */
  readonly armed: number;
}

export interface HoursResult {
  readonly endings: ReadonlyMap<string, number>;
  readonly ended: number;
  /** Runs of which at least one process died, and those that waited for a person in the store. */
  readonly interrupted: number;
  readonly suspended: number;
  readonly crashes: number;
  /** Effects that were done, those told as unknown, and how often one was done again under its key. */
  readonly effects: { readonly done: number; readonly unknown: number; readonly again: number };
  readonly lines: number;
  readonly digest: string;
  readonly pruned: number;
  /** Behind each night. */
  readonly nights: readonly Hour['stored'][];
  readonly most: Hour['stored'];
  readonly memory: MemoryVerdict | null;
  /** When the last run came to its end: hours since the beginning. */
  readonly lastHour: number;
  readonly problems: readonly string[];
  readonly broken: boolean;
}

interface Simulation {
  readonly options: HoursOptions;
  readonly around: Around & { readonly disk: Store & Written };
  readonly hosts: Hosts;
  readonly stories: Map<number, Story>;
  readonly world: World;
  readonly waits: Waits;
  /** From one pruning to the next; so long a run stays behind its end. */
  readonly nightHours: number;
  readonly problems: string[];
  readonly endings: Map<string, number>;
  /** When each stored run that ended did so, on the wall clock. */
  readonly endedAtMs: Map<string, number>;
  readonly counts: {
    ended: number;
    interrupted: number;
    suspended: number;
    done: number;
    unknown: number;
    again: number;
  };
  readonly hours: Hour[];
  readonly nights: Hour['stored'][];
  pruned: number;
}

const hourMs = 3_600_000;
const mostProblems = 20;
const hosts = 4;

export async function simulateHours(options: HoursOptions): Promise<HoursResult> {
  const simulation = begin(options);
  const { around, problems, counts, hours, nights, pruned: _, ...rest } = simulation;
  const { clock, disk } = around;
  const startMs = clock.wallMs();
  const users = Array.from({ length: options.users }, (__, user) => userOf(simulation, user, startMs));
  const all = Promise.all(users);
  let over = false;
  void all.finally(() => {
    over = true;
  });
  for (let hour = 1; !over && !options.signal.aborted; hour++) {
    await passHour(simulation, hour, () => over);
  }
  const lastHour = Math.round((clock.wallMs() - startMs) / hourMs);
  if (over) await all;
  const broken = !over;
  if (!broken) await settle(simulation);
  const heaps = hours.slice(0, options.hours).flatMap(({ heap }) => (heap === null ? [] : [heap]));
  const { done, unknown, again, ended, interrupted, suspended } = counts;
  return {
    ...{ endings: rest.endings, ended, interrupted, suspended, crashes: rest.hosts.crashes() },
    effects: { done, unknown, again },
    ...{ lines: disk.lines(), digest: disk.digest(), pruned: simulation.pruned, nights, lastHour, problems, broken },
    most: hours.reduce((most, { stored }) => (stored.bytes > most.bytes ? stored : most), { runs: 0, bytes: 0 }),
    memory: heaps.length === 0 ? null : verdictOn(heaps),
  };
}

function begin(options: HoursOptions): Simulation {
  const clock = virtualClock();
  const disk = watchedDisk(memoryStore());
  const nightHours = Math.max(1, Math.min(24, Math.floor(options.hours / 3)));
  const waits: Waits = { longestMs: 0.4 * options.hours * hourMs, longestRaiseMs: (nightHours * hourMs) / 3 };
  const stories = new Map<number, Story>();
  const world: World = new Map();
  // Whoever comes back late, because the process died again and again, still finds the question open.
  const approvalMs = waits.longestMs + 24 * hourMs;
  const started = startHosts({
    ...{ clock, disk, count: hosts, random: createRandom(options.seed ^ 0x2545f491) },
    lifeMs: Math.max(hourMs / 3, (options.hours * hourMs) / 18),
    agentOf: (process) => agentOf(process, { stories, world, approvalMs }),
  });
  return {
    ...{ options, stories, world, waits, nightHours, hosts: started, around: { clock, disk, hosts: started } },
    ...{ problems: [], endings: new Map(), endedAtMs: new Map(), hours: [], nights: [], pruned: 0 },
    counts: { ended: 0, interrupted: 0, suspended: 0, done: 0, unknown: 0, again: 0 },
  };
}

async function userOf(simulation: Simulation, user: number, startMs: number): Promise<void> {
  const { options, around, stories, endedAtMs, waits } = simulation;
  const random = createRandom((options.seed + Math.imul(user + 1, 0x9e3779b9)) >>> 0);
  const untilMs = startMs + options.hours * hourMs;
  for (let turn = 0; around.clock.wallMs() < untilMs; turn++) {
    const id = turn * options.users + user;
    const story = drawStory(id, random(2 ** 32), waits);
    stories.set(id, story);
    try {
      note(simulation, story, await liveThrough(story, around), await around.disk.read(story.runId));
    } catch (thrown) {
      problem(simulation, `Run ${id} (seed ${story.seed}): ${messageOf(thrown)}`);
    }
    stories.delete(id);
    endedAtMs.set(story.runId, around.clock.wallMs());
    await pause(simulation, random, untilMs);
  }
}

/** Before the next run; none begins behind the end. */
async function pause({ around: { clock } }: Simulation, random: Random, untilMs: number): Promise<void> {
  await sleep(clock, Math.min(random(hourMs / 3), Math.max(0, untilMs - clock.wallMs())));
}

type Lines = Awaited<ReturnType<Store['read']>>;

function note({ counts, endings, world, problems }: Simulation, story: Story, told: Told, lines: Lines): void {
  const { outcome, deaths, suspended } = told;
  for (const wrong of differences(story, { outcome, lines: lines ?? [], deaths }, world))
    problem({ problems }, `Run ${story.id} (seed ${story.seed}): ${wrong}`);
  const reason = outcome?.stopReason ?? 'the process died before it could tell';
  endings.set(reason, 1 + (endings.get(reason) ?? 0));
  counts.ended++;
  if (deaths > 0) counts.interrupted++;
  if (suspended) counts.suspended++;
  counts.unknown += outcome?.unknown.length ?? 0;
  for (const at of story.deeds.keys()) {
    const times = world.get(keyOf(story.runId, at)) ?? 0;
    if (times > 0) counts.done++;
    counts.again += Math.max(0, times - 1);
    world.delete(keyOf(story.runId, at));
  }
}

function problem({ problems }: Pick<Simulation, 'problems'>, words: string): void {
  if (problems.length < mostProblems) problems.push(words);
}

async function passHour(simulation: Simulation, hour: number, isOver: () => boolean): Promise<void> {
  const { around, options, stories, hosts: running, counts, hours, nights, nightHours } = simulation;
  const { clock, disk } = around;
  if (hour === options.hours + 1) running.calm();
  for (let minute = 0; minute < 60 && !isOver() && !options.signal.aborted; minute++) await clock.pass(60_000);
  if (hour % nightHours === 0) await night(simulation);
  const stored = await storedIn(disk);
  if (hour % nightHours === 0) nights.push(stored);
  const state: Hour = {
    ...{ hour, stored, ended: counts.ended, live: stories.size, crashes: running.crashes() },
    ...{ heap: heapBeside(stored.held), armed: clock.armed },
  };
  hours.push(state);
  options.onHour(state);
}

/** What ended the night before leaves the store. Then each run in it goes on, or ended since. */
async function night(simulation: Simulation): Promise<void> {
  const { around, stories, endedAtMs, nightHours } = simulation;
  const { clock, disk } = around;
  const dueMs = clock.wallMs() - nightHours * hourMs;
  simulation.pruned += await prune(disk, { endedBeforeMs: dueMs });
  const live = new Set([...stories.values()].map(({ runId }) => runId));
  for (const [runId, atMs] of endedAtMs) if (atMs < dueMs) endedAtMs.delete(runId);
  for (const { runId, status } of await disk.list())
    if (!live.has(runId) && !endedAtMs.has(runId))
      problem(simulation, `${runId} is stored, and should not be: ${status}`);
}

/** When all runs have ended nothing is armed, nothing is held, and the store can be emptied. */
async function settle(simulation: Simulation): Promise<void> {
  const { around, hosts: running } = simulation;
  const { clock, disk } = around;
  await clock.calm();
  if (running.armed() > 0) problem(simulation, `${running.armed()} timers of processes are armed`);
  await clock.pass(2 * hourMs); // a tool that was given up may still be at work
  if (clock.armed > 0) problem(simulation, `${clock.armed} timers are armed at the end`);
  simulation.pruned += await prune(disk, { endedBeforeMs: clock.wallMs() + 1 });
  for (const { runId, status } of await disk.list()) problem(simulation, `${runId} is left at the end: ${status}`);
}

/** A text of the store beside its characters, and its place in a list. */
const lineOverhead = 24;

async function storedIn(disk: Store): Promise<Hour['stored'] & { readonly held: number }> {
  const runs = await disk.list();
  const bytes = runs.reduce((sum, run) => sum + run.bytes, 0);
  return { runs: runs.length, bytes, held: bytes + lineOverhead * runs.length };
}

function heapBeside(held: number): number | null {
  if (globalThis.gc === undefined) return null;
  globalThis.gc();
  return process.memoryUsage().heapUsed - held;
}
