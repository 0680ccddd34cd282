/**
 * One run's way into its store: what is written goes in order, each thing within its limit, and nothing is awaited. Once
 * something has failed nothing more is written: there are no gaps.
 */
import { AgentError } from '../core/errors.ts';
import { messageOf } from '../core/message-of.ts';
import type { HeldRun, Store } from '../core/store.ts';
import type { Settled, Within } from '../core/within.ts';
import { createInFlight, type InFlight } from './in-flight.ts';
import { unheeded } from './within.ts';

/** Where a run is kept, and how long the store may take for each thing that it is asked. */
export interface Keeping {
  readonly store: Store;
  readonly runId: string;
  readonly limitMs: number;
  readonly within: Within;
  readonly wallMs: () => number;
}

type Work = (run: HeldRun) => PromiseLike<void>;
type Opening = () => HeldRun | PromiseLike<HeldRun>;
type Refusal = (held: HeldRun) => AgentError | null;

export interface StoreWriter {
  /** Takes hold of the run; what is written before that waits. `refusal` says why this hold is of no use. */
  open(opening: Opening, refusal: Refusal): void;
  write(work: Work): void;
  /** Calls back when all that was written before is durable; never where that cannot be. Gives back what cancels it. */
  whenWritten(then: () => void): () => void;
  /** Calls back when all is durable and the run is let go, or with what went wrong. Nothing is written afterwards. */
  close(then: (end: WrittenEnd) => void): void;
}

/** `isOurs`: the run was held, so that what happened in it happened. */
export interface WrittenEnd {
  readonly problem: AgentError | null;
  readonly isOurs: boolean;
}

/** `failed` is told once. */
export function createStoreWriter(keeping: Keeping, failed: (problem: AgentError) => void): StoreWriter {
  const writing: Writing = {
    ...{ keeping, failed, turns: createTurns(), inFlight: createInFlight(), early: [], closing: null },
    ...{ held: null, isOurs: false, problem: null, isLate: false },
  };
  return {
    open: (opening, refusal) => open(writing, opening, refusal),
    write: (work) => write(writing, work),
    whenWritten: writing.turns.whenAnswered,
    close: (then) => close(writing, then),
  };
}

interface Writing {
  readonly keeping: Keeping;
  readonly failed: (problem: AgentError) => void;
  readonly turns: ReturnType<typeof createTurns>;
  readonly inFlight: InFlight;
  /** Until the run is held. */
  early: { readonly work: Work; readonly place: number }[];
  held: HeldRun | null;
  isOurs: boolean;
  problem: AgentError | null;
  /** A late answer may still come: what follows is handed over behind it, and nobody waits. So the journal tells the end. */
  isLate: boolean;
  closing: ((end: WrittenEnd) => void) | null;
}

function open(writing: Writing, opening: Opening, refusal: Refusal): void {
  const { keeping, turns } = writing;
  const place = turns.asked();
  const opened = (settled: Settled<HeldRun>) => {
    if (settled.kind !== 'value') return fail(writing, problemOf(settled, keeping));
    const held = isHeldRun(settled.value) ? settled.value : null;
    const refused = whyOfNoUse(settled.value, refusal, keeping);
    writing.held = held;
    if (held === null || refused !== null) return fail(writing, refused ?? noHold(keeping));
    writing.isOurs = true;
    const works = writing.early;
    writing.early = [];
    for (const early of works) ask(writing, held, early.work, early.place);
    turns.answered(place);
  };
  keeping.within(keeping.limitMs, () => soon(opening), opened, leaveLate);
}

function write(writing: Writing, work: Work): void {
  const { held, problem, isLate, turns } = writing;
  if (problem !== null) {
    if (held !== null && isLate) unheeded(() => work(held));
    return;
  }
  const place = turns.asked();
  if (held === null) writing.early.push({ work, place });
  else ask(writing, held, work, place);
}

function ask(writing: Writing, held: HeldRun, work: Work, place: number): void {
  const { within, limitMs } = writing.keeping;
  writing.inFlight.track((done) => {
    const settle = (settled: Settled<void>) => {
      done();
      if (settled.kind === 'value') writing.turns.answered(place);
      else fail(writing, problemOf(settled, writing.keeping), settled.kind === 'late');
    };
    return within(limitMs, () => soon(() => work(held)), settle);
  });
}

function fail(writing: Writing, why: AgentError, isLate = false): void {
  if (writing.problem !== null) return;
  const { held, isOurs, closing } = writing;
  writing.problem = why;
  writing.isLate = isLate;
  writing.early = [];
  writing.turns.close();
  writing.inFlight.cancelAll();
  writing.failed(why);
  // Where the answer is only late, the end of the run still has to be handed over.
  if (held !== null && !(isLate && closing === null)) leave(held);
  closing?.({ problem: why, isOurs });
}

function close(writing: Writing, then: (end: WrittenEnd) => void): void {
  const { held, problem, isLate, isOurs, turns, keeping } = writing;
  if (problem !== null) {
    if (held !== null && isLate) leave(held);
    return then({ problem, isOurs });
  }
  writing.closing = then;
  turns.whenAnswered(() => {
    if (writing.held !== null) letGo(writing.held, keeping, (why) => then({ problem: why, isOurs: true }));
  });
}

/** Who waits for what was asked before. Answers may come in any order. */
function createTurns() {
  let places = 0;
  /** Without an answer, oldest first. */
  const unanswered = new Set<number>();
  let waiting: { readonly place: number; readonly then: () => void }[] = [];
  let open = true;
  const isDue = (place: number) => {
    const [oldest] = unanswered;
    return oldest === undefined || oldest > place;
  };
  return {
    asked() {
      unanswered.add(++places);
      return places;
    },
    answered(place: number) {
      unanswered.delete(place);
      const due = waiting.filter((waiter) => isDue(waiter.place));
      waiting = waiting.filter((waiter) => !due.includes(waiter));
      for (const { then } of due) then();
    },
    whenAnswered(then: () => void): () => void {
      const waiter = { place: places, then };
      if (!open) return () => {};
      if (isDue(places)) then();
      else waiting.push(waiter);
      return () => {
        waiting = waiting.filter((other) => other !== waiter);
      };
    },
    /** Nobody is called back any more. */
    close() {
      open = false;
      waiting = [];
    },
  };
}

function letGo(run: HeldRun, keeping: Keeping, then: (problem: AgentError | null) => void): void {
  keeping.within(
    keeping.limitMs,
    () => run.release(),
    (settled) => then(settled.kind === 'value' ? null : problemOf(settled, keeping)),
  );
}

/** What a store throws comes as late as what it rejects with: never while the run is still at what it writes down. */
function soon<Value>(work: () => Value | PromiseLike<Value>): Value | PromiseLike<Value> {
  try {
    return work();
  } catch (thrown) {
    return Promise.reject(thrown);
  }
}

function leave(run: HeldRun): void {
  unheeded(() => run.release());
}

export function noHold(keeping: Keeping): AgentError {
  const thrown = new Error('its open() gives no hold of the run: an object with lines, append, replace and release');
  return problemOf({ kind: 'thrown', thrown }, keeping);
}

/** Lines may be anything, and reading them may throw. */
function whyOfNoUse(held: HeldRun, refusal: Refusal, keeping: Keeping): AgentError | null {
  try {
    return isHeldRun(held) ? refusal(held) : noHold(keeping);
  } catch (thrown) {
    return problemOf({ kind: 'thrown', thrown }, keeping);
  }
}

/** A store of the user's own may give anything. */
export function isHeldRun(value: unknown): boolean {
  try {
    return (
      typeof value === 'object' &&
      value !== null &&
      Array.isArray(Reflect.get(value, 'lines')) &&
      ['append', 'replace', 'release'].every((name) => typeof Reflect.get(value, name) === 'function')
    );
  } catch {
    return false; // reading it threw
  }
}

/** A hold that comes when nobody waits for it any more is given back. */
export function leaveLate(settled: Settled<HeldRun>): void {
  if (settled.kind === 'value' && isHeldRun(settled.value)) leave(settled.value);
}

export function problemOf(
  settled: Exclude<Settled<unknown>, { kind: 'value' }>,
  { store, limitMs, runId }: Keeping,
): AgentError {
  const hint = `What was durable before is kept: once ${store.name} answers again, agent.resume(${JSON.stringify(runId)}) goes on with it.`;
  if (settled.kind === 'late')
    return new AgentError('store_failed', `The store did not answer within ${limitMs} ms: ${store.name}.`, { hint });
  const { thrown } = settled;
  if (thrown instanceof AgentError) return thrown;
  return new AgentError('store_failed', `The store failed: ${messageOf(thrown)}`, { hint, cause: thrown });
}
