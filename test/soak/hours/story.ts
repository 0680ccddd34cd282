/** One run of a user, drawn from a seed: what the model wants, what people do about it, and how it must end. Pure. */
import { createRandom, type Random } from '../../support/random.ts';

/**
 * What the model wants in one step. `effect` has one and no mark; `keyed` may be done again under its key; `probed` can be
 * asked whether it happened; `ask` needs a person; `long` is a read of a quarter of an hour; `nonsense` is no step at all.
 */
export type Deed = (typeof deeds)[number] | 'long' | 'nonsense';

export const deeds = ['read', 'effect', 'keyed', 'probed', 'ask', 'fail'] as const;

/** What a person does about a call that asks. */
export type Word = 'allow' | 'edit' | 'deny' | 'abort' | 'never';

export interface Decision {
  readonly word: Word;
  /** From the question to the word. */
  readonly waitMs: number;
  /** Somebody who is there leaves before the word, and comes back with it. */
  readonly leaves: boolean;
}

export interface Limit {
  readonly budget: { readonly maxSteps: number } | { readonly maxToolCalls: number } | { readonly wallClockMs: number };
  /** Null: the user leaves it at that. */
  readonly raisedAfterMs: number | null;
}

export interface Story {
  readonly id: number;
  readonly runId: string;
  readonly deeds: readonly Deed[];
  /** How often the model fails first, by step. */
  readonly failures: readonly number[];
  /** Somebody is there from the beginning; where nobody is, a call that asks suspends the run. */
  readonly attended: boolean;
  /** Of the calls that ask, by step. */
  readonly decisions: readonly Decision[];
  readonly limit: Limit | null;
  readonly seed: number;
}

export const ample = Object.freeze({
  maxSteps: 20,
  maxToolCalls: 100,
  wallClockMs: 48 * 3_600_000,
  maxToolErrors: 100,
  maxViolations: 100,
});

/** More than all but a `long` read may take together. */
export const shortWallClockMs = 12 * 60_000;

export interface Waits {
  /** For a person. */
  readonly longestMs: number;
  /** From an end at a limit until it is raised: it must still be in the store. */
  readonly longestRaiseMs: number;
}

export function drawStory(id: number, seed: number, { longestMs: longestWaitMs, longestRaiseMs }: Waits): Story {
  const random = createRandom(seed);
  const count = random(7);
  const limit = limitIn(random, longestRaiseMs);
  const wanted = Array.from({ length: count }, () => oneOf([...deeds, 'ask', 'nonsense'] as const, random));
  const attended = random(2) === 0;
  return {
    id,
    seed,
    runId: oneOf([`run-${id}`, `Run ${id}/früh`, `运行 ${id}`], random),
    deeds: limit !== null && 'wallClockMs' in limit.budget ? [...wanted, 'long'] : wanted,
    failures: Array.from({ length: count }, () => Math.max(0, random(8) - 5)),
    attended,
    decisions: Array.from({ length: count }, () => decisionIn(random, longestWaitMs, attended)),
    limit,
  };
}

function decisionIn(random: Random, longestMs: number, attended: boolean): Decision {
  const word = oneOf(['allow', 'allow', 'allow', 'edit', 'deny', 'abort', 'never'] as const, random);
  const leaves = random(2) === 0;
  // One who is not there and never decides would leave the run in the store for ever.
  const isAnswered = word !== 'never' || (attended && !leaves);
  return { word: isAnswered ? word : 'deny', waitMs: waitIn(random, longestMs), leaves };
}

/** From a minute on: short waits are as likely as long ones, on a scale where each is twice the one before. */
function waitIn(random: Random, longestMs: number): number {
  const shortest = 60_000;
  return Math.round(shortest * 2 ** ((Math.log2(Math.max(2, longestMs / shortest)) * random(1_000)) / 1_000));
}

function limitIn(random: Random, longestRaiseMs: number): Limit | null {
  const raisedAfterMs = random(4) === 0 ? null : waitIn(random, longestRaiseMs);
  const kind = random(8);
  if (kind === 0) return { budget: { maxSteps: 1 + random(4) }, raisedAfterMs };
  if (kind === 1) return { budget: { maxToolCalls: random(3) }, raisedAfterMs };
  return kind === 2 ? { budget: { wallClockMs: shortWallClockMs }, raisedAfterMs } : null;
}

function oneOf<Value>(values: readonly Value[], random: Random): Value {
  const value = values[random(values.length)];
  if (value === undefined) throw new Error('There is nothing to draw from.');
  return value;
}

export function answerOf(id: number): string {
  return `the answer of run ${id}, 完`;
}

/** What must come of a story, however often its processes die. */
export interface ImpliedEnd {
  readonly stopReason: string;
  readonly answer: string | null;
  readonly steps: number;
  /** Of the call of each step; null where there is none. */
  readonly calls: readonly (CallEnd | null)[];
}

/** `happened`: it succeeded; of an `effect` and of an `ask` also unknown, where a process died meanwhile. */
export type CallEnd = 'happened' | 'failed' | 'refused' | 'cancelled';

/** `isGivenUp`: so many processes died in the `long` read that the run does not try it again. */
export function impliedEnd(story: Story, isGivenUp = false): ImpliedEnd {
  const { id, deeds: wanted, limit } = story;
  const kept = limit?.raisedAfterMs === null ? limit.budget : {};
  const most = { maxSteps: ample.maxSteps, maxToolCalls: ample.maxToolCalls, ...kept };
  const longEnd = isGivenUp ? 'failed' : 'wallClockMs' in kept ? 'cancelled' : 'happened';
  const calls: (CallEnd | null)[] = [];
  let started = 0;
  for (let step = 0; ; step++) {
    const end = (stopReason: string, answer: string | null = null) => ({ stopReason, answer, steps: step + 1, calls });
    if (step >= most.maxSteps) return { ...end('max_steps'), steps: step }; // behind nonsense
    const deed = wanted[step];
    const { call, stopReason } = stepEnd(story, step, {
      spent: spentBy({ step, started }, most),
      longEnd,
    });
    calls.push(call);
    if (stopReason !== null) return end(stopReason, deed === undefined ? answerOf(id) : null);
    if (call === 'happened' || call === 'failed') started++;
  }
}

/** Why no call may start any more: behind the last step nobody could use a result. */
function spentBy(
  { step, started }: { readonly step: number; readonly started: number },
  most: Pick<typeof ample, 'maxSteps' | 'maxToolCalls'>,
): string | null {
  if (step + 1 >= most.maxSteps) return 'max_steps';
  return started >= most.maxToolCalls ? 'max_tool_calls' : null;
}

interface StepEnd {
  readonly call: CallEnd | null;
  /** Null where the run goes on. */
  readonly stopReason: string | null;
}

/** `spent`: why no call may start any more. `longEnd`: of a `long` one, for which the time may not suffice. */
function stepEnd(
  { deeds: wanted, decisions }: Story,
  step: number,
  { spent, longEnd }: { readonly spent: string | null; readonly longEnd: CallEnd },
): StepEnd {
  const deed = wanted[step];
  if (deed === undefined) return { call: null, stopReason: 'final' };
  if (deed === 'nonsense') return { call: null, stopReason: null };
  if (spent !== null) return { call: 'cancelled', stopReason: spent };
  if (deed === 'long') return { call: longEnd, stopReason: longEnd === 'cancelled' ? 'timeout' : null };
  if (deed === 'fail') return { call: 'failed', stopReason: null };
  switch (deed === 'ask' ? decisions[step]?.word : 'allow') {
    case 'abort':
      return { call: 'cancelled', stopReason: 'aborted' };
    case 'deny':
    case 'never':
      return { call: 'refused', stopReason: null };
    default:
      return { call: 'happened', stopReason: null };
  }
}
