/** How OBSERVATION judges the step that is done: its fuses, its key for the loop guard, its time. */
import { describe, expect, it } from 'vitest';
import { judgeStep } from '../../machines/reducers.ts';
import { fingerprint } from '../../src/core/fingerprint.ts';
import type { ReactContext } from '../../src/core/snapshot.ts';
import { call, calls, changes, context } from './contexts.ts';
import * as e from './driver.ts';

/** Everything that is judged differs from the beginning, so that a reset is seen. */
const worn = (changed: Partial<ReactContext>): ReactContext =>
  context({ violationsInRow: 2, toolErrorsInRow: 1, atMs: 0, window: ['before'], ...changed });

describe('the fuses', () => {
  it.each([
    ['a success resets both', calls('succeeded'), { violationsInRow: 0, toolErrorsInRow: 0 }],
    [
      'one success among failures resets both',
      calls('failed', 'succeeded'),
      { violationsInRow: 0, toolErrorsInRow: 0 },
    ],
    ['a failure', calls('failed'), { toolErrorsInRow: 2 }],
    ['a refusal', calls('refused'), { toolErrorsInRow: 2 }],
    ['an unknown result', calls('unknown'), { toolErrorsInRow: 2 }],
    ['two failures are one failed step', calls('failed', 'failed'), { toolErrorsInRow: 2 }],
  ] as const)('%s', (_what, done, fuses) => {
    const before = worn({ calls: done });
    const { window: _window, atMs: _atMs, ...changed } = changes(before, judgeStep(before, e.settled()));
    expect(changed).toEqual(fuses);
  });

  const found = (...letters: readonly string[]) =>
    letters.map((letter, index) =>
      call({ callId: `1.${index + 1}`, status: letter === 'x' ? 'failed' : 'succeeded', empty: letter === '0' }),
    );
  it.each([
    ['nothing', found('0'), 3],
    ['something', found('1'), 0],
    ['nothing, twice', found('0', '0'), 4],
    ['something, and then nothing', found('1', '0'), 1],
    ['nothing, and then something', found('0', '1'), 0],
    ['a failure between two that hold nothing', found('0', 'x', '0'), 4],
    ['a failure', found('x'), 2],
  ] as const)('results that hold nothing are counted in the order of the calls: %s', (_what, done, inRow) => {
    expect(judgeStep(worn({ calls: done, emptyInRow: 2 }), e.settled()).emptyInRow).toBe(inRow);
  });

  it('a violation without calls is no failed tool step, and resets nothing', () => {
    const before = worn({ violation: 'empty' });
    const { window, ...changed } = changes(before, judgeStep(before, e.ended()));
    expect(changed).toEqual({ atMs: 1 });
    expect(window).toEqual(['before', 'violation:empty']);
  });

  it.each([
    ['the task', {}],
    ['a step none of whose calls started', { calls: calls('ready', 'asking') }],
    ['a failure beside a call that a limit holds back', { calls: calls('failed', 'ready') }],
    ['a success beside one that would be asked about', { calls: calls('succeeded', 'asking') }],
  ] as const)('%s is no step to judge', (_what, changed) => {
    const before = worn(changed);
    expect(changes(before, judgeStep(before, e.settled()))).toEqual({ atMs: 1 });
  });

  it('the time stays where the event has none', () => {
    const before = worn({});
    const later = { ...before, atMs: 9 };
    expect(judgeStep(later, e.machineFailed()).atMs).toBe(9); // time does not go back
    const { atMs: _atMs, ...timeless } = e.machineFailed();
    // XState begins with an event of its own, which has no time.
    const init: unknown = { ...timeless, type: 'xstate.init' };
    expect(isEvent(init) ? judgeStep(before, init).atMs : null).toBe(0);
  });
});

/** Any event that XState hands a reducer. */
function isEvent(event: unknown): event is ReturnType<typeof e.aborted> {
  return typeof event === 'object' && event !== null && 'type' in event;
}

describe('the key of a step', () => {
  const keyOf = (changed: Partial<ReactContext>) => judgeStep(worn(changed), e.settled()).window.at(-1);
  const done = (callId: string, key: string, resultKey: string) =>
    call({ callId, key, resultKey, status: 'succeeded' });

  it('is made of the calls and their results', () => {
    const two = [done('1.1', 'a', 'x'), done('1.2', 'b', 'y')];
    expect(keyOf({ calls: two })).toBe(fingerprint('a=x&b=y'));
  });

  it('leaves out what never started, where the run has its answer', () => {
    const ready = call({ callId: '1.2', key: 'b', status: 'ready' });
    const asking = call({ callId: '1.3', key: 'c', status: 'asking' });
    expect(keyOf({ answer: 'x', calls: [done('1.1', 'a', 'x'), ready, asking] })).toBe(fingerprint('a=x'));
  });

  it('is the violation where there is one', () => {
    expect(keyOf({ violation: 'answer_rejected', calls: [] })).toBe('violation:answer_rejected');
  });

  it('tells the loop guard, which judges', () => {
    const limits = { loopGuard: { warnAt: 2, endAt: 3, cycleMax: 1 } };
    const first = judgeStep(context({ violation: 'empty' }, limits), e.ended());
    const second = judgeStep(first, e.ended());
    const third = judgeStep(second, e.ended());
    expect([first.loop, second.loop, third.loop]).toEqual(['none', 'warn', 'end']);
  });
});
