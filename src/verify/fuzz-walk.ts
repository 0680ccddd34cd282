/** Random walks of the machine: what may happen next, as data, and the event that it is in the present state. */
import type { Effect, ReactEvent, Verdict } from '../core/events.ts';
import type { ReadCall, Stop } from '../core/reading.ts';
import type { ReactContext, RunLimits } from '../core/snapshot.ts';
import type { Spent } from '../core/usage.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';

/** A letter for each call: run, ask, refuse, run and end the run, ask and end the run. */
type Pass = 'r' | 'a' | 'x' | 'e' | 'q';

type Act =
  | { readonly do: 'stop'; readonly stop: Stop; readonly calls: number }
  | { readonly do: 'calls'; readonly count: number; readonly tokens: number }
  | { readonly do: 'answer'; readonly text: string }
  | { readonly do: 'nothing' | 'truncate' | 'filter' | 'fail' | 'retry' | 'refuse_prompt' }
  | { readonly do: 'check'; readonly passes: readonly Pass[]; readonly effect: Effect }
  | {
      readonly do: 'settle';
      readonly call: number;
      readonly result: 'succeeded' | 'failed' | 'unknown';
      readonly spent?: number;
    }
  | { readonly do: 'ask' | 'accept' | 'reject' }
  | { readonly do: 'grant' | 'deny'; readonly call: number }
  | { readonly do: 'abort' | 'expire' | 'break' };

export interface Turn {
  /** What happens, whatever the state. */
  readonly any: Act;
  /** Chooses among what fits the state; where it is a multiple of five, `any` happens. */
  readonly pick: number;
  /** 0: of the present step. */
  readonly stepAhead: number;
  readonly atMs: number;
}

export function walks(fc: FastCheck): Arbitrary<readonly Turn[]> {
  const turn = fc.record<Turn>({
    any: acts(fc),
    pick: fc.nat(359),
    stepAhead: fc.constantFrom(0, 0, 0, 0, -1, 1),
    atMs: fc.nat(60),
  });
  return fc.array(turn, { maxLength: 80, size: 'max' });
}

/** Small, so that walks meet their ends, and seldom so small that they end at once. */
export function walkLimits(fc: FastCheck): Arbitrary<RunLimits> {
  const small = (most: number) =>
    fc.oneof({ weight: 1, arbitrary: fc.nat(most) }, { weight: 1, arbitrary: fc.constant(most) });
  return fc.record({
    maxSteps: small(5),
    maxTokens: fc.constantFrom(0, 20, 40, 1_000, 1_000, 1_000),
    wallClockMs: fc.constantFrom(0, 41, 1_000, 1_000, 1_000),
    maxToolCalls: small(6),
    maxViolations: small(3),
    maxToolErrors: small(3),
    loopGuard: fc.constantFrom(null, { warnAt: 2, endAt: 3, cycleMax: 2 }),
    maxParallel: fc.integer({ min: 1, max: 3 }),
    maxEmptyResults: fc.constantFrom(null, 1, 2),
    modelRetries: fc.nat(2),
    checksAnswer: fc.boolean(),
  });
}

function acts(fc: FastCheck): Arbitrary<Act> {
  const call = fc.integer({ min: 1, max: 3 });
  const passes = fc.array(fc.constantFrom<Pass>('r', 'a', 'x', 'e', 'q'), { minLength: 1, maxLength: 3 });
  const effect = fc.constantFrom<Effect>('readOnly', 'idempotent', 'unmarked', 'sideEffect');
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom<Act>(
        { do: 'stop', stop: 'action', calls: 0 },
        { do: 'stop', stop: 'answer', calls: 0 },
        { do: 'stop', stop: 'observation', calls: 2 },
      ),
    },
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constant('calls'), count: fc.nat(3), tokens: fc.constantFrom(2, 5, 50) }),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom<Act>({ do: 'answer', text: 'yes' }, { do: 'nothing' }, { do: 'truncate' }),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Act>(
        ...(['filter', 'fail', 'retry', 'refuse_prompt', 'ask', 'accept', 'reject'] as const).map((what) => ({
          do: what,
        })),
      ),
    },
    { weight: 8, arbitrary: fc.record({ do: fc.constant('check'), passes, effect }) },
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('settle'),
        call,
        result: fc.constantFrom('succeeded', 'failed', 'unknown'),
        spent: fc.constantFrom(0, 0, 0, 1, 9),
      }),
    },
    { weight: 7, arbitrary: fc.record({ do: fc.constantFrom('grant', 'deny'), call }) },
    { weight: 1, arbitrary: fc.constantFrom<Act>({ do: 'abort' }, { do: 'expire' }, { do: 'break' }) },
  );
}

const check = (passes: string): Act => ({ do: 'check', passes: [...passes].filter(isPass), effect: 'unmarked' });
const ofCalls = (make: (call: number) => readonly Act[]): readonly Act[] => [1, 2, 3].flatMap(make);

/** What a shell would send in each state, so that walks get far. */
const fitting: ReadonlyMap<string, readonly Act[]> = new Map<string, readonly Act[]>([
  [
    'THOUGHT.reasoning',
    [
      { do: 'stop', stop: 'action', calls: 0 },
      { do: 'stop', stop: 'action', calls: 0 },
      { do: 'stop', stop: 'answer', calls: 0 },
      { do: 'nothing' },
      { do: 'retry' },
    ],
  ],
  [
    'THOUGHT.calling',
    [
      { do: 'calls', count: 1, tokens: 2 },
      { do: 'calls', count: 3, tokens: 2 },
      { do: 'stop', stop: 'observation', calls: 2 },
      { do: 'truncate' },
      { do: 'retry' },
    ],
  ],
  [
    'THOUGHT.answering',
    [
      { do: 'answer', text: 'yes' },
      { do: 'answer', text: '' },
    ],
  ],
  ['ACTION.gating', ['r', 'a', 'x', 'rra', 'arr', 'aaa', 'rer', 'qrx'].map(check)],
  [
    'ACTION.running',
    ofCalls((call) => [
      { do: 'settle', call, result: 'succeeded' },
      { do: 'settle', call, result: 'failed' },
      { do: 'settle', call, result: 'unknown' },
    ]),
  ],
  [
    'ACTION.awaitingApproval',
    [
      { do: 'ask' },
      ...ofCalls((call) => [
        { do: 'grant', call },
        { do: 'deny', call },
      ]),
    ],
  ],
  ['ACTION.checkingAnswer', [{ do: 'accept' }, { do: 'reject' }]],
]);

/** The states in which something fits; a test asks whether walks come through all of them. */
export const walkedStates: readonly string[] = [...fitting.keys(), 'FINAL', 'ERROR'];

function isPass(letter: string): letter is Pass {
  return 'raxeq'.includes(letter);
}

export function eventOf(turn: Turn, name: string, { step, attempt }: ReactContext): ReactEvent {
  const ofTry = attempt === 1 ? {} : { attempt };
  const fits = fitting.get(name);
  const act = fits === undefined || turn.pick % 5 === 0 ? undefined : fits[turn.pick % fits.length];
  if (act === undefined) return happening(turn.any, { ...ofTry, step: step + turn.stepAhead, atMs: turn.atMs });
  return happening(act, { ...ofTry, step, atMs: Math.min(turn.atMs, 40) });
}

interface Place {
  readonly attempt?: number;
  readonly step: number;
  readonly atMs: number;
}

function happening(act: Act, place: Place): ReactEvent {
  const { atMs } = place;
  switch (act.do) {
    case 'stop':
      return { type: 'reply.stopped', ...place, stop: act.stop, thought: null, ...said(act.calls), tokens: tokens(2) };
    case 'calls':
      return { ...ended(place), calls: said(act.count).calls, tokens: tokens(act.tokens) };
    case 'answer':
      return { ...ended(place), answer: act.text };
    case 'nothing':
      return { ...ended(place), violation: 'no_step' };
    case 'check':
      return {
        type: 'calls.checked',
        ...place,
        verdicts: act.passes.map((pass, at) => verdict(pass, at, act.effect, place)),
      };
    case 'settle':
      return {
        type: 'call.settled',
        ...place,
        ...ofCall(act.call, place),
        result: act.result,
        ...result,
        ...spent(act),
      };
    case 'grant':
      return { type: 'approval.granted', ...place, ...ofCall(act.call, place), ...granted };
    case 'deny':
      return { type: 'approval.denied', ...place, ...ofCall(act.call, place), ...denied };
    case 'abort':
      return { type: 'run.aborted', atMs, why: '', tokens: tokens(2) };
    case 'expire':
      return { type: 'clock.expired', atMs: atMs * 100, tokens: tokens(2) };
    case 'break':
      return { type: 'machine.failed', atMs, message: 'a defect' };
    default:
      return plain[act.do](place);
  }
}

function spent({ spent: count = 0 }: { readonly spent?: number }): { readonly spent?: Spent } {
  return count === 0 ? {} : { spent: { steps: count, toolCalls: count, tokens: tokens(count) } };
}

const result = { observation: 'seen', output: 'seen', resultKey: 'seen', startedAtMs: 0 } as const;
const granted = { input: null, key: 'look {}', by: null, edited: false } as const;
const denied = { observation: 'no', cause: 'person', by: null, why: '' } as const;
const cut = { thought: null, partial: null, violation: 'truncated', hint: '', text: '' } as const;
const why = { failure: 'connection', message: 'no route', hint: 'look at the cable' } as const;

const plain = {
  truncate: (place) => ({ type: 'reply.truncated', ...place, ...cut, tokens: tokens(2) }),
  filter: (place) => ({ type: 'reply.filtered', ...place, tokens: tokens(2) }),
  fail: (place) => ({ type: 'reply.failed', ...place, ...why, tokens: tokens(2) }),
  retry: (place) => ({ type: 'reply.failed', ...place, ...why, tokens: tokens(2), retryAtMs: place.atMs + 1 }),
  refuse_prompt: (place) => ({ type: 'prompt.refused', ...place, promptTokens: 9 }),
  ask: (place) => ({ type: 'approval.asked', ...place, untilMs: 1e12 }),
  accept: (place) => ({ type: 'answer.accepted', ...place, answer: 'yes' }),
  reject: (place) => ({ type: 'answer.rejected', ...place, hint: 'no' }),
} as const satisfies { readonly [what: string]: (place: Place) => ReactEvent };

function said(count: number): { readonly calls: readonly ReadCall[]; readonly text: string } {
  return { calls: Array.from({ length: count }, () => ({ tool: 'look', input: {} })), text: '' };
}

function ended(place: Place): Extract<ReactEvent, { type: 'reply.ended' }> {
  const nothing = { thought: null, calls: [], answer: null, violation: null, hint: null, text: '', dropped: null };
  return { type: 'reply.ended', ...place, ...nothing, tokens: tokens(2) };
}

function tokens(total: number) {
  return { inputTokens: total - 1, outputTokens: 1, estimated: true };
}

function ofCall(call: number, { step }: Place) {
  return { callId: `${step}.${call}` };
}

function verdict(pass: Pass, index: number, effect: Effect, place: Place): Verdict {
  return {
    ...ofCall(index + 1, place),
    pass: pass === 'x' ? 'refuse' : pass === 'a' || pass === 'q' ? 'ask' : 'run',
    input: {},
    observation: pass === 'x' ? 'refused' : null,
    effect,
    endsRun: pass === 'e' || pass === 'q',
    key: 'look {}',
  };
}
