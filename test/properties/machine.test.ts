/** The laws on random walks of the machine: events of every type, fitting and not, at any time, with every small budget. */
import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { nameOf } from '../../machines/edge.ts';
import { checkLaws } from '../../machines/laws.ts';
import { rank } from '../../machines/rank.ts';
import { createPort, type ReactSnapshot, stateOf } from '../../src/step.ts';
import { followWalk } from '../../src/verify/fuzz-machine.ts';
import { eventOf, walkedStates, walkLimits, walks } from '../../src/verify/fuzz-walk.ts';

const port = createPort();
const rest = (snapshot: ReactSnapshot) => ({ state: stateOf(snapshot), context: snapshot.context });
const visited = new Map<string, number>();

test.prop([walkLimits(fc), walks(fc)], { numRuns: 2_000 })('every law holds on every edge', (limits, turns) => {
  followWalk(port, { limits, turns }, (edge) => {
    const name = nameOf(edge.after.state);
    visited.set(name, (visited.get(name) ?? 0) + 1);
    // Asked in plain words first: an assertion on each of a hundred thousand edges takes longer than the edge.
    const broken = checkLaws(edge);
    if (broken.length > 0) expect(broken).toEqual([]);
    const least = Math.min(...rank(edge.after));
    if (least < 0) expect(least).toBeGreaterThanOrEqual(0);
  });
});

it('the walks above were in every state often', () => {
  expect(walkedStates.filter((name) => (visited.get(name) ?? 0) < 50)).toEqual([]);
});

test.prop([walkLimits(fc), walks(fc), fc.nat(40)], { numRuns: 500 })(
  'a run that was stored and restored goes on as if nothing had been',
  (limits, turns, at) => {
    const middle = followWalk(port, { limits, turns: turns.slice(0, at) }, () => {});
    const plain = JSON.parse(JSON.stringify(rest(middle)));
    let again = port.restore(plain.state, plain.context);
    // A reply that was being read is asked for again: that is where both go on from.
    let live = port.restore(stateOf(again), middle.context);
    for (const turn of turns.slice(at)) {
      const event = eventOf(turn, nameOf(stateOf(live)), live.context);
      const [one, other] = [port.step(live, event), port.step(again, event)];
      expect(rest(other.snapshot)).toEqual(rest(one.snapshot));
      expect(other.commands).toEqual(one.commands);
      [live, again] = [one.snapshot, other.snapshot];
    }
  },
);
