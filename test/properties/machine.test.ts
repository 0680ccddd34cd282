/** The laws on random walks of the machine: events of every type, fitting and not, at any time, with every small budget. */
import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { checkLaws } from '../../machines/laws.ts';
import { rank } from '../../machines/rank.ts';
import type { ReactEvent } from '../../src/core/events.ts';
import type { RunLimits } from '../../src/core/snapshot.ts';
import { type ReactSnapshot, stateOf } from '../../src/step.ts';
import * as e from '../machine/driver.ts';

/** Small, so that walks meet their ends, and seldom so small that they end at once. */
const small = (most: number) => fc.constantFrom(...Array.from({ length: most + 1 }, (_, n) => n), most, most, most);
const budget = fc.record({
  maxSteps: small(5),
  maxTokens: fc.constantFrom(0, 20, 40, 1_000, 1_000, 1_000),
  wallClockMs: fc.constantFrom(0, 41, 1_000, 1_000, 1_000),
  maxToolCalls: small(6),
  maxViolations: small(3),
  maxToolErrors: small(3),
  loopGuard: fc.constantFrom(null, { warnAt: 2, endAt: 3, cycleMax: 2 }),
  checksAnswer: fc.boolean(),
});

/** Mostly what fits the present; `atMs` creeps towards the deadline. */
const place = fc.record({ stepAhead: fc.constantFrom(0, 0, 0, 0, -1, 1), atMs: fc.nat(60) });
const passes = fc.stringMatching(/^[raxeq]{1,3}$/);
const index = fc.integer({ min: 1, max: 3 });
type Make = (place: { step: number; atMs: number }) => ReactEvent;
const make: fc.Arbitrary<Make> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<Make>(
      (at) => e.stopped('action', 0, at),
      (at) => e.stopped('answer', 0, at),
      (at) => e.stopped('observation', 2, at),
    ),
  },
  {
    weight: 6,
    arbitrary: fc.nat(3).map(
      (calls): Make =>
        (at) =>
          e.ended({ calls, total: 5 }, at),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Make>(
      (at) => e.ended({ answer: 'yes' }, at),
      (at) => e.ended({ violation: 'empty' }, at),
      (at) => e.truncated(at),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Make>(e.filtered, e.failed, e.promptRefused, e.asked, e.accepted, e.rejected),
  },
  {
    weight: 8,
    arbitrary: fc.tuple(passes, fc.constantFrom('readOnly', 'idempotent', 'unmarked', 'sideEffect')).map(
      ([letters, effect]): Make =>
        (at) =>
          e.checked(letters, { effect }, at),
    ),
  },
  {
    weight: 8,
    arbitrary: fc.tuple(index, fc.constantFrom('succeeded', 'failed', 'unknown')).map(
      ([call, result]): Make =>
        (at) =>
          e.settled(call, result, at),
    ),
  },
  {
    weight: 4,
    arbitrary: index.map(
      (call): Make =>
        (at) =>
          e.granted(call, at),
    ),
  },
  {
    weight: 3,
    arbitrary: index.map(
      (call): Make =>
        (at) =>
          e.denied(call, at),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Make>(
      ({ atMs }) => e.aborted(atMs),
      ({ atMs }) => e.expired(atMs),
      () => e.machineFailed(),
    ),
  },
);

/** What a shell would send in each state, so that walks get far; one in five is anything at all. */
const fitting: Readonly<Record<string, readonly Make[]>> = {
  'THOUGHT.reasoning': [
    (at) => e.stopped('action', 0, at),
    (at) => e.stopped('action', 0, at),
    (at) => e.stopped('answer', 0, at),
    (at) => e.ended({ violation: 'no_step' }, at),
  ],
  'THOUGHT.calling': [
    (at) => e.ended({ calls: 1 }, at),
    (at) => e.ended({ calls: 3 }, at),
    (at) => e.stopped('observation', 2, at),
    (at) => e.truncated(at),
  ],
  'THOUGHT.answering': [(at) => e.ended({ answer: 'yes' }, at), (at) => e.ended({ answer: '' }, at)],
  'ACTION.gating': ['r', 'a', 'x', 'rra', 'arr', 'aaa', 'rer', 'qrx'].map(
    (letters): Make =>
      (at) =>
        e.checked(letters, {}, at),
  ),
  'ACTION.running': [1, 2, 3].flatMap((call): Make[] => [
    (at) => e.settled(call, 'succeeded', at),
    (at) => e.settled(call, 'failed', at),
    (at) => e.settled(call, 'unknown', at),
  ]),
  'ACTION.awaitingApproval': [
    e.asked,
    ...[1, 2, 3].flatMap((call): Make[] => [(at) => e.granted(call, at), (at) => e.denied(call, at)]),
  ],
  'ACTION.checkingAnswer': [e.accepted, e.rejected],
};
const turn = fc.record({ make, place, pick: fc.nat(359) });
type Turn = typeof turn extends fc.Arbitrary<infer Value> ? Value : never;
const walk = fc.array(turn, { minLength: 5, maxLength: 80 });

function eventOf({ make: anything, place: { stepAhead, atMs }, pick }: Turn, snapshot: ReactSnapshot): ReactEvent {
  const { step } = snapshot.context;
  const fits = fitting[e.stateName(stateOf(snapshot))];
  if (fits === undefined || pick % 5 === 0) return anything({ step: step + stepAhead, atMs });
  return fits[pick % fits.length]?.({ step, atMs: Math.min(atMs, 40) }) ?? e.aborted();
}

const rest = (snapshot: ReactSnapshot) => ({ state: stateOf(snapshot), context: snapshot.context });

/** One walk; `meet` sees each edge. */
function follow(limits: RunLimits, turns: readonly Turn[], meet: (edge: Parameters<typeof checkLaws>[0]) => void) {
  let { snapshot } = e.port.start(limits);
  for (const each of turns) {
    const event = eventOf(each, snapshot);
    const stepped = e.port.step(snapshot, event);
    meet({
      before: rest(snapshot),
      event: stepped.expired ?? event,
      after: rest(stepped.snapshot),
      commands: stepped.commands,
    });
    ({ snapshot } = stepped);
  }
  return snapshot;
}

const visited = new Map<string, number>();

test.prop([budget, walk], { numRuns: 2_000 })('every law holds on every edge', (limits, turns) => {
  follow(limits, turns, (edge) => {
    const name = e.stateName(edge.after.state);
    visited.set(name, (visited.get(name) ?? 0) + 1);
    expect(checkLaws(edge)).toEqual([]);
    for (const part of rank(edge.after)) expect(part).toBeGreaterThanOrEqual(0);
  });
});

it('the walks above were in every state often', () => {
  const states = [...Object.keys(fitting), 'FINAL', 'ERROR'];
  expect(states.filter((name) => (visited.get(name) ?? 0) < 50)).toEqual([]);
});

test.prop([budget, walk, fc.nat(40)], { numRuns: 500 })(
  'a run that was stored and restored goes on as if nothing had been',
  (limits, turns, at) => {
    const middle = follow(limits, turns.slice(0, at), () => {});
    const plain = JSON.parse(JSON.stringify(rest(middle)));
    let again = e.port.restore(plain.state, plain.context);
    // A reply that was being read is asked for again: that is where both go on from.
    let live = e.port.restore(stateOf(again), middle.context);
    for (const each of turns.slice(at)) {
      const event = eventOf(each, live);
      const [one, other] = [e.port.step(live, event), e.port.step(again, event)];
      expect(rest(other.snapshot)).toEqual(rest(one.snapshot));
      expect(other.commands).toEqual(one.commands);
      [live, again] = [one.snapshot, other.snapshot];
    }
  },
);
