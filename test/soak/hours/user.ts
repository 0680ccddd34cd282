/** A user with one run after the other: starts it, decides, raises limits, and comes back to it when its process has died. */
import { nameOf } from '../../../machines/edge.ts';
import { AgentError, type Outcome, type Run } from '../../../src/index.ts';
import type { Store } from '../../../src/store.ts';
import type { VirtualClock } from '../../../src/testing.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { taskWords } from './agent.ts';
import type { Host, Hosts } from './machines.ts';
import { ample, type Decision, type Story } from './story.ts';

export interface Around {
  readonly clock: VirtualClock;
  readonly hosts: Hosts;
  /** Of the machine, without the processes. */
  readonly disk: Store;
}

export interface Told {
  /** Null where the process died before it could tell. */
  readonly outcome: Outcome | null;
  readonly deaths: number;
  readonly suspended: boolean;
}

interface Course {
  readonly story: Story;
  readonly random: Random;
  /** When the word about each call is due, by call, on the wall clock. */
  readonly dueAtMs: Map<string, number>;
  attended: boolean;
  budget: object | null;
  /** It was seen in the store. */
  isStored: boolean;
}

export async function liveThrough(story: Story, around: Around): Promise<Told> {
  const random = createRandom(story.seed ^ 0x5bd1e995);
  const course: Course = { story, random, dueAtMs: new Map(), attended: story.attended, budget: null, isStored: false };
  let deaths = 0;
  let suspended = false;
  for (;;) {
    const outcome = await lifeOf(course, around);
    if (outcome === 'died') deaths++;
    const reason = outcome === 'died' ? await storedEnd(story, around) : outcome.stopReason;
    suspended ||= reason === 'suspended';
    const waitMs = waitBehind(reason, course, around.clock.wallMs());
    if (waitMs === null) return { outcome: outcome === 'died' ? null : outcome, deaths, suspended };
    await sleep(around.clock, waitMs);
  }
}

/** One life of the run, in one process. */
async function lifeOf(course: Course, around: Around): Promise<Outcome | 'died'> {
  const { story, budget, attended, random } = course;
  const host = await aHost(around, random);
  const isStored = (await around.disk.read(story.runId)) !== null;
  if (course.isStored && !isStored) throw new Error('It has left the store, and had not ended for good.');
  course.isStored = isStored;
  const first = { attended, budget: story.limit?.budget ?? {} };
  const run = isStored
    ? await host.process.survives(host.agent.resume(story.runId, { attended, ...(budget && { budget }) }))
    : host.agent.start(`${taskWords}${story.id}`, { ...first, runId: story.runId });
  if (run === 'died') return run;
  if (attended) void watch(run, course, host, around.clock);
  return await host.process.survives(run.outcome);
}

async function aHost({ hosts, clock }: Around, random: Random): Promise<Host> {
  for (;;) {
    const host = hosts.any(random);
    if (host !== null) return host;
    await sleep(clock, 60_000);
  }
}

/** Why the stored run stands still. */
async function storedEnd({ runId }: Story, { disk }: Around): Promise<string> {
  const last = (await disk.read(runId))?.at(-1);
  return last?.type === 'run.ended' ? last.stopReason : 'interrupted';
}

/** When the user comes back to it; null where it has ended for good. */
function waitBehind(reason: string, course: Course, wallMs: number): number | null {
  const { story, random, dueAtMs } = course;
  const { limit } = story;
  switch (reason) {
    case 'interrupted':
      return 1_000 + random(300_000);
    case 'suspended': {
      course.attended = true;
      const due = [...dueAtMs.values()].filter((atMs) => atMs > wallMs);
      return due.length === 0 ? (firstDecision(story)?.waitMs ?? 0) : Math.min(...due) - wallMs;
    }
    case 'max_steps':
    case 'max_tool_calls':
    case 'timeout':
      course.budget = ample;
      return limit?.raisedAfterMs ?? null;
    default:
      return null;
  }
}

function firstDecision({ deeds, decisions }: Story): Decision | undefined {
  return decisions[deeds.indexOf('ask')];
}

/** Somebody sits in front of it: sees each question, and says the word about it when it is due. */
async function watch(run: Run, course: Course, { process }: Host, clock: VirtualClock): Promise<void> {
  for await (const { type } of run) {
    if (type !== 'approval.asked' && type !== 'run.resumed') continue;
    const callId = waitingIn(run);
    const decision = callId === null ? undefined : course.story.decisions[Number.parseInt(callId, 10) - 1];
    if (callId === null || decision === undefined || decision.word === 'never') continue;
    const seen = course.dueAtMs.get(callId);
    const dueAtMs = seen ?? clock.wallMs() + decision.waitMs;
    course.dueAtMs.set(callId, dueAtMs);
    const leaves = decision.leaves && seen === undefined;
    const say = leaves ? () => run.suspend() : () => decide(run, callId, decision);
    const waitMs = leaves ? decision.waitMs / 2 : dueAtMs - clock.wallMs();
    void process.sleep(Math.max(1, waitMs)).then(() => {
      if (!process.isDead() && waitingIn(run) === callId) say();
    });
  }
}

function decide(run: Run, callId: string, { word }: Decision): void {
  if (word === 'abort') run.abort('no more of it');
  else if (word === 'deny') run.deny(callId, 'not this one');
  else run.approve(callId, word === 'edit' ? { input: { n: 1_000 + Number.parseInt(callId, 10) } } : {});
}

function waitingIn(run: Run): string | null {
  try {
    const { state, context } = run.snapshot();
    if (nameOf(state) !== 'ACTION.awaitingApproval') return null;
    return context.calls.find(({ status }) => status === 'asking')?.callId ?? null;
  } catch (thrown) {
    if (thrown instanceof AgentError) return null; // it has ended
    throw thrown;
  }
}

export function sleep(clock: VirtualClock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.setTimer(Math.max(1, Math.round(ms)), resolve));
}
