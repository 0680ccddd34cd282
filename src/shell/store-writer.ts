/**
 * One run's way into its store: what is written goes in order, each thing within its limit, and nothing is awaited. Once
 * something has failed nothing more is written: there are no gaps.
 */
import { AgentError } from '../core/errors.ts';
import { messageOf } from '../core/message-of.ts';
import type { HeldRun, Store } from '../core/store.ts';
import type { Settled, Within } from '../core/within.ts';
import { createInFlight } from './in-flight.ts';
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

export interface StoreWriter {
  /** Takes hold of the run; what is written before that waits. `refusal` says why this hold is of no use. */
  open(opening: () => HeldRun | PromiseLike<HeldRun>, refusal: (held: HeldRun) => AgentError | null): void;
  write(work: Work): void;
  /** Calls back when all that was written before is durable; never where that cannot be. Gives back what cancels it. */
  whenWritten(then: () => void): () => void;
  /** Calls back when all is durable and the run is let go, or with what went wrong. Nothing is written afterwards. */
  close(then: (problem: AgentError | null) => void): void;
}

/** `failed` is told once. */
export function createStoreWriter(keeping: Keeping, failed: (problem: AgentError) => void): StoreWriter {
  const { within, limitMs } = keeping;
  let held: HeldRun | null = null;
  let problem: AgentError | null = null;
  let closing: ((problem: AgentError | null) => void) | null = null;
  let early: Work[] = [];
  const turns = createTurns();
  const inFlight = createInFlight();

  const fail = (why: AgentError) => {
    if (problem !== null) return;
    problem = why;
    turns.close();
    inFlight.cancelAll();
    early = [];
    failed(why);
    // A store that failed may hang: nobody waits for it again.
    if (held !== null) leave(held);
    closing?.(why);
  };
  const ask = (run: HeldRun, work: Work) =>
    inFlight.track((done) => {
      const settle = (settled: Settled<void>) => {
        done();
        if (settled.kind === 'value') turns.answered();
        else fail(problemOf(settled, keeping));
      };
      return within(limitMs, () => soon(() => work(run)), settle);
    });

  return {
    open(opening, refusal) {
      turns.asked();
      const opened = (settled: Settled<HeldRun>) => {
        if (settled.kind !== 'value') return fail(problemOf(settled, keeping));
        const refused = whyOfNoUse(settled.value, refusal, keeping);
        if (isHeldRun(settled.value)) held = settled.value;
        if (held === null || refused !== null) return fail(refused ?? noHold(keeping));
        const [run, works] = [held, early];
        early = [];
        for (const work of works) ask(run, work);
        turns.answered();
      };
      within(limitMs, () => soon(opening), opened, leaveLate);
    },
    write(work) {
      if (problem !== null) return;
      turns.asked();
      if (held === null) early.push(work);
      else ask(held, work);
    },
    whenWritten: turns.whenAnswered,
    close(then) {
      if (problem !== null) return then(problem);
      closing = then;
      turns.whenAnswered(() => (held === null ? then(null) : letGo(held, keeping, then)));
    },
  };
}

/** Who waits for how many answers. The store answers in the order in which it was asked. */
function createTurns() {
  let asked = 0;
  let answers = 0;
  let waiting: { readonly place: number; readonly then: () => void }[] = [];
  let open = true;
  return {
    asked: () => {
      asked++;
    },
    answered() {
      answers++;
      const due = waiting.filter(({ place }) => place <= answers);
      waiting = waiting.filter(({ place }) => place > answers);
      for (const { then } of due) then();
    },
    whenAnswered(then: () => void): () => void {
      const waiter = { place: asked, then };
      if (!open) return () => {};
      if (answers === asked) then();
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
function whyOfNoUse(held: HeldRun, refusal: (held: HeldRun) => AgentError | null, keeping: Keeping): AgentError | null {
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
