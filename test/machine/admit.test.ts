/** Which events belong to the present: those of this step, this call and this time. */
import { describe, expect, it } from 'vitest';
import { type Admission, admit } from '../../machines/admit.ts';
import type { ReactEvent } from '../../src/core/events.ts';
import type { CallState, ReactContext } from '../../src/core/snapshot.ts';
import { calls, context, everyEvent } from './contexts.ts';
import * as e from './driver.ts';

const standing = (...statuses: readonly CallState['status'][]): Partial<ReactContext> => ({
  calls: calls(...statuses),
});
const limits = { wallClockMs: 100 };
const late = { atMs: 100 };
const verdictsFor = (...callIds: readonly string[]): ReactEvent => ({
  type: 'calls.checked',
  step: 1,
  atMs: 1,
  verdicts: callIds.map((callId) => ({
    callId,
    pass: 'run',
    input: null,
    observation: null,
    effect: 'unmarked',
    endsRun: false,
    key: '',
  })),
});

describe('in time', () => {
  it.each<readonly [string, Partial<ReactContext>, ReactEvent, Admission]>([
    ['a reply of this step', {}, e.ended(), 'obey'],
    ['a reply of the step before', { step: 2 }, e.ended(), 'drop'],
    ['a reply of a step to come', {}, e.ended({}, { step: 2 }), 'drop'],
    ['a reply of this try', { attempt: 2 }, e.ended({}, { attempt: 2 }), 'obey'],
    ['a reply of the try before', { attempt: 2 }, e.brokeOff(), 'drop'],
    ['a reply of a try to come', {}, e.brokeOff({ attempt: 2 }), 'drop'],
    ['a prompt that does not fit, in another try', { attempt: 2 }, e.promptRefused(), 'obey'],
    ['an abort, which is of no step', { step: 7 }, e.aborted(), 'obey'],
    ['a clock that is early', {}, e.expired(99), 'drop'],
    ['a clock on time', {}, e.expired(100), 'obey'],
    ['a time that is no number', {}, e.aborted(Number.NaN), 'drop'],
    ['a time without end', {}, e.aborted(Number.POSITIVE_INFINITY), 'drop'],
    ['the result of a call that was started', standing('succeeded', 'started'), e.settled(2), 'obey'],
    ['the result of a call that is done', standing('succeeded', 'started'), e.settled(1), 'drop'],
    ['the result of no call', standing('started'), e.settled(2), 'drop'],
    ['a result of another step', { ...standing('started'), step: 2 }, e.settled(1), 'drop'],
    ['a yes to a call that asks', standing('ready', 'asking'), e.granted(2), 'obey'],
    ['a yes to a call that does not ask', standing('ready', 'asking'), e.granted(1), 'drop'],
    ['a no to a call that asks', standing('ready', 'asking'), e.denied(2), 'obey'],
    ['a no to a call that does not ask', standing('ready', 'asking'), e.denied(1), 'drop'],
    ['the first question', { approvalUntilMs: null }, e.asked(), 'obey'],
    ['a second question', { approvalUntilMs: 5 }, e.asked(), 'drop'],
    ['a verdict for each call', standing('read', 'read'), verdictsFor('1.1', '1.2'), 'obey'],
    ['verdicts in another order', standing('read', 'read'), verdictsFor('1.2', '1.1'), 'drop'],
    ['a verdict too few', standing('read', 'read'), verdictsFor('1.1'), 'drop'],
    ['a verdict too many', standing('read'), verdictsFor('1.1', '1.2'), 'drop'],
    ['a verdict for another call', standing('read', 'read'), verdictsFor('1.1', '1.7'), 'drop'],
    ['verdicts where one call was judged before', standing('ready', 'read'), verdictsFor('1.1', '1.2'), 'drop'],
    ['verdicts where all calls were judged before', standing('ready'), verdictsFor('1.1'), 'drop'],
    ['a defect', {}, e.machineFailed(), 'obey'],
    ['a defect at no time at all', {}, { type: 'machine.failed', atMs: Number.NaN, message: '' }, 'obey'],
  ])('%s', (_what, changed, event, admission) => {
    expect(admit(context(changed, limits), event)).toBe(admission);
  });
});

describe('past the deadline', () => {
  it.each<readonly [string, Partial<ReactContext>, ReactEvent, Admission]>([
    ['what belongs here', {}, e.ended({}, late), 'expire'],
    ['what is of another step', { step: 2 }, e.ended({}, late), 'drop'],
    ['a result that was waited for', standing('started'), e.settled(1, 'succeeded', late), 'expire'],
    ['a result that was not', standing('ready'), e.settled(1, 'succeeded', late), 'drop'],
    ['an abort', {}, e.aborted(100), 'expire'],
    ['a defect', {}, { type: 'machine.failed', atMs: 100, message: '' }, 'obey'],
  ])('%s', (_what, changed, event, admission) => {
    expect(admit(context(changed, limits), event)).toBe(admission);
  });
});

it.each(everyEvent)('after the end $type is dropped', (event) => {
  const ended = context({ ...standing('started'), stopReason: 'aborted' });
  expect(admit(ended, event)).toBe('drop');
});
