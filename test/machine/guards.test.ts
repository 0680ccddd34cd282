/** The machine's questions as plain functions, at the edges of their numbers and for events that they do not know. */
import { describe, expect, it } from 'vitest';
import * as guards from '../../machines/guards.ts';
import type { ReactEvent } from '../../src/core/events.ts';
import type { CallState, ReactContext, RunLimits } from '../../src/core/snapshot.ts';
import { call, context, everyOther, calls as standing } from './contexts.ts';
import * as e from './driver.ts';

type Changed = Partial<ReactContext>;
type Limits = Partial<RunLimits>;

const spent = (total: number) => ({ inputTokens: total - 3, outputTokens: 3, estimated: true });
const calls = (...statuses: readonly CallState['status'][]): Changed => ({ calls: standing(...statuses) });
const ends = (status: CallState['status']): Changed => ({ calls: [call({ status, endsRun: true })] });

/** The context, its limits, and the answer; no event matters. */
const ofTheContext: Readonly<
  Record<string, readonly [(asked: Asked) => boolean, readonly (readonly [Changed, Limits, boolean])[]]>
> = {
  answered: [
    guards.answered,
    [
      [{}, {}, false],
      [{ answer: '' }, {}, true],
      [{ answer: 'yes' }, {}, true],
    ],
  ],
  fuseBlown: [
    guards.fuseBlown,
    [
      [{ violationsInRow: 1 }, { maxViolations: 2 }, false],
      [{ violationsInRow: 2 }, { maxViolations: 2 }, true],
      [{ violationsInRow: 3 }, { maxViolations: 2 }, true],
    ],
  ],
  toolFuseBlown: [
    guards.toolFuseBlown,
    [
      [{ toolErrorsInRow: 1 }, { maxToolErrors: 2 }, false],
      [{ toolErrorsInRow: 2 }, { maxToolErrors: 2 }, true],
      [{ toolErrorsInRow: 3 }, { maxToolErrors: 2 }, true],
    ],
  ],
  nothingFound: [
    guards.nothingFound,
    [
      [{ emptyInRow: 9 }, { maxEmptyResults: null }, false],
      [{ emptyInRow: 1 }, { maxEmptyResults: 2 }, false],
      [{ emptyInRow: 2 }, { maxEmptyResults: 2 }, true],
      [{ emptyInRow: 3 }, { maxEmptyResults: 2 }, true],
    ],
  ],
  looping: [
    guards.looping,
    [
      [{ loop: 'none' }, {}, false],
      [{ loop: 'warn' }, {}, false],
      [{ loop: 'end' }, {}, true],
    ],
  ],
  timeSpent: [
    guards.timeSpent,
    [
      [{ atMs: 9 }, { wallClockMs: 10 }, false],
      [{ atMs: 10 }, { wallClockMs: 10 }, true],
      [{ atMs: 11 }, { wallClockMs: 10 }, true],
    ],
  ],
  stepsSpent: [
    guards.stepsSpent,
    [
      [{ step: 1 }, { maxSteps: 2 }, false],
      [{ step: 2 }, { maxSteps: 2 }, true],
      [{ step: 3 }, { maxSteps: 2 }, true],
      [{ step: 1, nestedSteps: 1 }, { maxSteps: 3 }, false],
      [{ step: 1, nestedSteps: 2 }, { maxSteps: 3 }, true],
      [{ step: 1, nestedSteps: 3 }, { maxSteps: 3 }, true],
    ],
  ],
  tokensSpent: [
    guards.tokensSpent,
    [
      [{ tokens: spent(9) }, { maxTokens: 10 }, false],
      [{ tokens: spent(10) }, { maxTokens: 10 }, true],
      [{ tokens: spent(11) }, { maxTokens: 10 }, true],
    ],
  ],
  toolCallsSpent: [
    guards.toolCallsSpent,
    [
      [{ ...calls('ready', 'ready'), toolCalls: 1 }, { maxToolCalls: 3 }, false],
      [{ ...calls('ready', 'ready'), toolCalls: 2 }, { maxToolCalls: 3 }, true],
      [{ ...calls('asking', 'asking', 'asking'), toolCalls: 2 }, { maxToolCalls: 3 }, false],
      [{ ...calls('asking'), toolCalls: 3 }, { maxToolCalls: 3 }, true],
      [{ ...calls('ready', 'asking', 'asking'), toolCalls: 2 }, { maxToolCalls: 3 }, false],
      [{ ...calls('succeeded', 'refused', 'read'), toolCalls: 3 }, { maxToolCalls: 3 }, false],
      [{ toolCalls: 4 }, { maxToolCalls: 3 }, false],
    ],
  ],
  anyReady: [
    guards.anyReady,
    [
      [{}, {}, false],
      [calls('asking', 'started', 'read'), {}, false],
      [calls('asking', 'ready'), {}, true],
    ],
  ],
  anyAsking: [
    guards.anyAsking,
    [
      [{}, {}, false],
      [calls('ready', 'started', 'read'), {}, false],
      [calls('ready', 'asking'), {}, true],
    ],
  ],
};

type Asked = Parameters<typeof guards.answered>[0];

describe.each(Object.entries(ofTheContext))('%s', (_name, [guard, rows]) => {
  it.each(rows)('%j, with limits %j: %s', (changed, limits, yes) => {
    expect(guard({ context: context(changed, limits), event: e.aborted() })).toBe(yes);
  });
});

describe('mayTryAgain', () => {
  it.each<readonly [string, Changed, Limits, ReactEvent, boolean]>([
    ['a failure that may be tried again', {}, {}, e.brokeOff(), true],
    ['one that may not', {}, {}, e.failed(), false],
    ['the last try', { attempt: 2 }, {}, e.brokeOff({ attempt: 2 }), true],
    ['behind the last try', { attempt: 3 }, {}, e.brokeOff({ attempt: 3 }), false],
    ['no tries at all', {}, { modelRetries: 0 }, e.brokeOff(), false],
    ['a wait just before the deadline', {}, { wallClockMs: 6 }, e.brokeOff({ retryAtMs: 5 }), true],
    ['a wait up to it', {}, { wallClockMs: 5 }, e.brokeOff({ retryAtMs: 5 }), false],
    ['a wait past it', {}, { wallClockMs: 4 }, e.brokeOff({ retryAtMs: 5 }), false],
    ['one token left', { tokens: spent(7) }, { maxTokens: 10 }, e.brokeOff(), true],
    ['none', { tokens: spent(8) }, { maxTokens: 10 }, e.brokeOff(), false],
    ['fewer than none', { tokens: spent(9) }, { maxTokens: 10 }, e.brokeOff(), false],
    ['another event', {}, {}, e.ended(), false],
  ])('%s', (_what, changed, limits, event, yes) => {
    expect(guards.mayTryAgain({ context: context(changed, { modelRetries: 2, ...limits }), event })).toBe(yes);
  });
});

describe('what an agent spent as a tool', () => {
  const small = { maxSteps: 5, maxTokens: 20, maxToolCalls: 4 };
  const standing = { ...calls('started', 'ready'), toolCalls: 1 };
  const settledBy = (steps: number, toolCalls: number, total: number): ReactEvent =>
    Object.assign({}, e.settled(), { spent: { steps, toolCalls, tokens: e.tokens(total) } });
  it.each([
    ['leaves enough for the next call', settledBy(3, 2, 9), false],
    ['leaves no step for its result', settledBy(4, 0, 2), true],
    ['leaves no call', settledBy(1, 3, 2), true],
    ['is more than all tokens', settledBy(1, 0, 21), true],
  ])('%s', (_what, event, nothing) => {
    expect(guards.nothingMayStart({ context: context(standing, small), event })).toBe(nothing);
    const reads = context(
      { calls: [...'12'].map((n) => call({ callId: `1.${n}`, status: 'started', effect: 'readOnly' })) },
      small,
    );
    const withNext = {
      ...reads,
      toolCalls: 1,
      calls: [...reads.calls, call({ callId: '1.3', status: 'ready', effect: 'readOnly' })],
    };
    expect(guards.readMayJoin({ context: withNext, event })).toBe(!nothing);
  });
});

/** The answers for events. A question is no for every type of event that its rows do not name. */
const ofTheEvent: Readonly<
  Record<string, readonly [(asked: Asked) => boolean, Changed, readonly (readonly [string, ReactEvent, boolean])[]]>
> = {
  callsComplete: [
    guards.callsComplete,
    {},
    [
      ['a stop without calls', e.stopped('answer'), false],
      ['a stop with one', e.stopped('observation', 1), true],
      ['an end without calls', e.ended({ answer: 'yes' }), false],
      ['an end with two', e.ended({ calls: 2 }), true],
    ],
  ],
  answerPresent: [
    guards.answerPresent,
    {},
    [
      ['an end without an answer', e.ended({ calls: 1 }), false],
      ['an empty answer', e.ended({ answer: '' }), false],
      ['an answer of nothing but space', e.ended({ answer: ' \n' }), false],
      ['an answer', e.ended({ answer: ' yes ' }), true],
    ],
  ],
  'stopIs answer': [
    (asked) => guards.stopIs(asked, { stop: 'answer' }),
    {},
    [
      ['an action', e.stopped('action'), false],
      ['an answer', e.stopped('answer'), true],
    ],
  ],
  anyToRun: [
    guards.anyToRun,
    {},
    [
      ['all ask or are refused', e.checked('aax'), false],
      ['one may run', e.checked('axr'), true],
    ],
  ],
  anyToAsk: [
    guards.anyToAsk,
    {},
    [
      ['all run or are refused', e.checked('rrx'), false],
      ['one asks', e.checked('rxa'), true],
      ['no verdict at all', e.checked(''), false],
    ],
  ],
  othersStarted: [
    guards.othersStarted,
    calls('started', 'started', 'ready'),
    [['another is in flight', e.settled(1), true]],
  ],
  'othersStarted, in a last call': [
    guards.othersStarted,
    calls('started', 'ready', 'asking'),
    [['no other is in flight', e.settled(1), false]],
  ],
  othersUndecided: [
    guards.othersUndecided,
    calls('asking', 'asking', 'ready'),
    [
      ['a yes, and another waits', e.granted(1), true],
      ['a no, and another waits', e.denied(1), true],
    ],
  ],
  'othersUndecided, in a last question': [
    guards.othersUndecided,
    calls('asking', 'ready', 'started'),
    [
      ['a yes, and no other waits', e.granted(1), false],
      ['a no, and no other waits', e.denied(1), false],
    ],
  ],
};

describe.each(Object.entries(ofTheEvent))('%s', (_name, [guard, changed, rows]) => {
  it.each(rows)('%s', (_what, event, yes) => {
    expect(guard({ context: context(changed), event })).toBe(yes);
  });

  it.each(everyOther(...rows.map(([, { type }]) => type)))('is no for $type', (event) => {
    expect(guard({ context: context(changed), event })).toBe(false);
  });
});

it.each([
  ['is checked', true, e.ended({ answer: 'yes' }), true],
  ['is not checked', false, e.ended({ answer: 'yes' }), false],
  ['is not there', true, e.ended(), false],
] as const)('an answer that %s', (_what, checksAnswer, event, yes) => {
  expect(guards.answerToCheck({ context: context({}, { checksAnswer }), event })).toBe(yes);
});

/** Two steps, ten tokens, two calls. */
const small = { maxSteps: 2, maxTokens: 10, maxToolCalls: 2 };

describe('nothing may start', () => {
  it.each([
    ['a call that fits', calls('read'), e.checked('r'), false],
    ['as many as fit', calls('read', 'read'), e.checked('rr'), false],
    ['one more than fits', calls('read', 'read', 'read'), e.checked('rrr'), true],
    ['one more than is left', { ...calls('read', 'read'), toolCalls: 1 }, e.checked('rr'), true],
    ['nothing passed', { ...calls('read'), step: 2, tokens: spent(11) }, e.checked('x'), false],
    ['questions count as one', calls('read', 'read', 'read'), e.checked('aaa'), false],
    ['a question that does not fit', { ...calls('read'), toolCalls: 2 }, e.checked('a'), true],
    ['the last step', { ...calls('read'), step: 2 }, e.checked('r'), true],
    ['the last step, and a call ends the run', { ...calls('read', 'read'), step: 2 }, e.checked('re'), false],
    ['the last step, and a question ends the run', { ...calls('read'), step: 2 }, e.checked('q'), false],
    ['the last step, and what ends the run was refused', ends('refused'), e.settled(), false],
    ['all tokens', { ...calls('read'), tokens: spent(10) }, e.checked('r'), true],
    ['all tokens, and a call ends the run', { ...calls('read'), tokens: spent(10) }, e.checked('e'), false],
    ['tokens above the budget, though a call ends the run', { tokens: spent(11) }, e.checked('e'), true],
    ['tokens to spare', { ...calls('read'), tokens: spent(9) }, e.checked('r'), false],
    ['a yes', { ...calls('asking'), step: 2 }, e.granted(1), true],
    ['a yes to another call', { ...calls('asking', 'refused'), toolCalls: 2 }, e.granted(2), true],
    ['a yes, and another still waits', { ...calls('asking', 'asking'), toolCalls: 1 }, e.granted(1), false],
    ['a yes to one that ends the run', { ...ends('asking'), step: 2 }, e.granted(1), false],
    ['a yes with one that is ready', { ...calls('asking', 'ready'), toolCalls: 1 }, e.granted(1), true],
    ['a no to the last one', { ...calls('asking'), step: 2 }, e.denied(1), false],
    [
      'a no to the one that ends the run',
      { calls: [...(ends('asking').calls ?? []), call({ callId: '1.2', status: 'ready' })], step: 2 },
      e.denied(1),
      true,
    ],
    ['a result, and another is ready', { ...calls('started', 'ready'), step: 2 }, e.settled(1), true],
    ['only a no takes its call away', { ...calls('ready'), step: 2 }, e.settled(1), true],
    ['a result, and no other', { ...calls('started', 'read'), step: 2 }, e.settled(1), false],
  ] as const)('%s', (_what, changed, event, yes) => {
    expect(guards.nothingMayStart({ context: context(changed, small), event })).toBe(yes);
  });
});

it.each([
  ['a success of it', { status: 'started', endsRun: true }, null, e.settled(1), true],
  ['a failure of it', { status: 'started', endsRun: true }, null, e.settled(1, 'failed'), false],
  ['a success of another call', { status: 'started', endsRun: true }, null, e.settled(2), false],
  ['a success of a tool that does not', { status: 'started', endsRun: false }, null, e.settled(1), false],
  ['a failure behind an answer', { status: 'started', endsRun: false }, 'yes', e.settled(1, 'failed'), true],
  ['no result', { status: 'started', endsRun: true }, 'yes', e.asked(), false],
] as const)('a tool that ends the run has succeeded: %s', (_what, changed, answer, event, yes) => {
  expect(guards.answeredByTool({ context: context({ calls: [call(changed)], answer }), event })).toBe(yes);
});

/** A letter a call: r(ead), e(nds the run, a read) and u(nmarked) are ready; in capitals: started; d(one), a(sking). */
const lettered = (letters: string): readonly CallState[] =>
  [...letters].map((letter, index) => {
    const small = letter.toLowerCase();
    const status = letter !== small ? 'started' : small === 'd' ? 'succeeded' : small === 'a' ? 'asking' : 'ready';
    return call({
      callId: `1.${index + 1}`,
      status,
      effect: small === 'u' ? 'unmarked' : 'readOnly',
      endsRun: small === 'e',
    });
  });

it.each([
  ['RRr', 2, e.settled(1), true],
  ['RRr', 2, e.settled(2), true],
  ['RRr', 3, e.settled(1), true],
  ['RaRr', 2, e.settled(1), true],
  ['RRRr', 2, e.settled(1), false], // still too many
  ['Rr', 2, e.settled(1), false], // nothing is in flight: the rest starts anew
  ['RRu', 2, e.settled(1), false],
  ['RRur', 2, e.settled(1), false],
  ['RRd', 2, e.settled(1), false],
  ['ERr', 2, e.settled(1), false], // the run has its answer
  ['RRr', 2, e.asked(), false],
] as const)('of %s with up to %i in flight, a read may join: on %o', (letters, maxParallel, event, yes) => {
  const asked = { context: context({ calls: lettered(letters) }, { maxParallel }), event };
  expect(guards.readMayJoin(asked)).toBe(yes);
});
