/** Random walks of the machine: what may happen next, as data, and the event that it is in the present state. */
import type { ReactEvent } from '../core/events.ts';
import type { ReactContext, RunLimits } from '../core/snapshot.ts';
import type { Effect } from '../core/verdict.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import { type Act, happening, type Pass } from './fuzz-happening.ts';

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
    { weight: 1, arbitrary: fc.constantFrom<Act>({ do: 'abort' }, { do: 'expire' }, { do: 'lose' }, { do: 'break' }) },
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
