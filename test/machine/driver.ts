/** Short words for the machine's tests: limits, events with ordinary payloads, and a run driven through the port. */
import type { ReactEvent } from '../../src/core/events.ts';
import { defaults } from '../../src/core/limits.ts';
import type { Stop } from '../../src/core/reading.ts';
import type { RunLimits, StatePath } from '../../src/core/snapshot.ts';
import type { StepViolation } from '../../src/core/stop-reasons.ts';
import type { Verdict } from '../../src/core/verdict.ts';
import { createPort, type Port, type Stepped } from '../../src/step.ts';

export const port = createPort();

export const limits = (changed: Partial<RunLimits> = {}): RunLimits => ({
  ...defaults.budget,
  loopGuard: defaults.loopGuard,
  maxParallel: 8,
  maxEmptyResults: null,
  modelRetries: 0,
  checksAnswer: false,
  ...changed,
});

export const tokens = (total = 2) => ({ inputTokens: total - 1, outputTokens: 1, estimated: true });

const call = (tool = 'search', input: string | number = 1) => ({ tool, input: { q: input } });

interface Place {
  readonly step?: number;
  readonly atMs?: number;
  /** Of a reply, where it is not the first try. */
  readonly attempt?: number;
}

const at = ({ step = 1, atMs = 1, attempt }: Place) => ({ step, atMs, ...(attempt === undefined ? {} : { attempt }) });

export const stopped = (stop: Stop, calls = 0, place: Place = {}): ReactEvent => ({
  type: 'reply.stopped',
  ...at(place),
  stop,
  thought: null,
  calls: Array.from({ length: calls }, () => call()),
  text: '',
  tokens: tokens(),
});

export const ended = (
  held: { calls?: number; answer?: string; violation?: Exclude<StepViolation, 'answer_rejected'>; total?: number } = {},
  place: Place = {},
): ReactEvent => ({
  type: 'reply.ended',
  ...at(place),
  thought: null,
  calls: Array.from({ length: held.calls ?? 0 }, () => call()),
  answer: held.answer ?? null,
  violation: held.violation ?? null,
  hint: null,
  text: '',
  dropped: null,
  tokens: tokens(held.total),
});

export const truncated = (place: Place = {}): ReactEvent => ({
  type: 'reply.truncated',
  ...at(place),
  thought: null,
  partial: null,
  violation: 'truncated',
  hint: '',
  text: '',
  tokens: tokens(),
});
export const filtered = (place: Place = {}): ReactEvent => ({ type: 'reply.filtered', ...at(place), tokens: tokens() });
export const failed = (place: Place = {}): ReactEvent => ({ type: 'reply.failed', ...at(place), ...noRoute });
const noRoute = { failure: 'connection', message: 'no route', hint: 'look at the cable', tokens: tokens() } as const;

/** That may be tried again, from this running time on. */
export const brokeOff = ({ retryAtMs = 5, ...place }: Place & { readonly retryAtMs?: number } = {}): ReactEvent => ({
  type: 'reply.failed',
  ...at(place),
  ...noRoute,
  retryAtMs,
});
export const promptRefused = (place: Place = {}): ReactEvent => ({
  type: 'prompt.refused',
  ...at(place),
  promptTokens: 9,
});

/** `passes` has a letter a call: r(un), a(sk), x (refuse), e (run, and it ends the run), q (ask, and it ends the run). */
export const checked = (passes: string, changed: Partial<Verdict> = {}, place: Place = {}): ReactEvent => ({
  type: 'calls.checked',
  ...at(place),
  verdicts: [...passes].map((letter, index) => ({
    callId: `${place.step ?? 1}.${index + 1}`,
    pass: letter === 'a' || letter === 'q' ? 'ask' : letter === 'x' ? 'refuse' : 'run',
    input: { q: 1 },
    observation: letter === 'x' ? 'refused' : null,
    effect: 'unmarked',
    endsRun: letter === 'e' || letter === 'q',
    key: 'search {"q":1}',
    ...changed,
  })),
});

export const settled = (
  index = 1,
  result: 'succeeded' | 'failed' | 'unknown' = 'succeeded',
  place: Place & { readonly output?: string } = {},
): ReactEvent => ({
  type: 'call.settled',
  ...at(place),
  callId: `${place.step ?? 1}.${index}`,
  result,
  observation: 'ok',
  output: place.output ?? 'ok',
  resultKey: place.output ?? 'ok',
  startedAtMs: 0,
});

export const asked = (place: Place = {}): ReactEvent => ({ type: 'approval.asked', ...at(place), untilMs: 1e12 });
export const granted = (index = 1, place: Place = {}): ReactEvent => ({
  type: 'approval.granted',
  ...at(place),
  callId: `${place.step ?? 1}.${index}`,
  input: { q: 1 },
  key: 'search {"q":1}',
  by: null,
  edited: false,
});
export const denied = (index = 1, place: Place = {}): ReactEvent => ({
  type: 'approval.denied',
  ...at(place),
  callId: `${place.step ?? 1}.${index}`,
  observation: 'no',
  cause: 'person',
  by: null,
  why: '',
});
export const accepted = (place: Place = {}): ReactEvent => ({ type: 'answer.accepted', ...at(place), answer: 'yes' });
export const rejected = (place: Place = {}): ReactEvent => ({ type: 'answer.rejected', ...at(place), hint: 'no' });
export const aborted = (atMs = 1, waiting?: readonly string[]): ReactEvent => ({
  type: 'run.aborted',
  atMs,
  why: '',
  tokens: tokens(),
  ...(waiting === undefined ? {} : { waiting }),
});
export const expired = (atMs = defaults.budget.wallClockMs): ReactEvent => ({
  type: 'clock.expired',
  atMs,
  tokens: tokens(),
});
export const storeFailed = (waiting?: readonly string[]): ReactEvent => ({
  type: 'store.failed',
  atMs: 1,
  message: 'no space',
  hint: 'Free some.',
  tokens: tokens(),
  ...(waiting === undefined ? {} : { waiting }),
});
export const machineFailed = (): ReactEvent => ({ type: 'machine.failed', atMs: 1, message: 'a defect' });

/** The run after these events; each must have been obeyed. */
export function drive(events: readonly ReactEvent[], changed: Partial<RunLimits> = {}, through: Port = port): Stepped {
  let stepped = through.start(limits(changed));
  for (const event of events) {
    stepped = through.step(stepped.snapshot, event);
    if (stepped.ignored) throw new Error(`${event.type} was ignored on the way to the state under test`);
  }
  return stepped;
}

/** `THOUGHT.reasoning`, `FINAL`. */
export function stateName(state: StatePath): string {
  if (typeof state === 'string') return state;
  return Object.entries(state)
    .map(([outer, inner]) => `${outer}.${inner}`)
    .join();
}
