/** The machine's actions as plain functions: what each changes, and that it leaves alone an event which it does not know. */
import { describe, expect, it } from 'vitest';
import { initialContext } from '../../machines/context.ts';
import * as reducers from '../../machines/reducers.ts';
import { abortedWith, call, calls, changes, context, everyEvent, stoppedWith } from './contexts.ts';
import * as e from './driver.ts';
import { type Table, walk } from './reducer-table.ts';

const table: Table = {
  chargeReply: {
    reducer: reducers.chargeReply,
    knows: everyEvent.filter((event) => 'tokens' in event).map(({ type }) => type),
    rows: [
      [
        'adds each figure',
        { tokens: { inputTokens: 10, outputTokens: 20, estimated: false } },
        e.filtered(),
        { tokens: { inputTokens: 11, outputTokens: 21, estimated: true } },
      ],
      [
        'knows that something before was estimated',
        { tokens: { inputTokens: 1, outputTokens: 2, estimated: true } },
        abortedWith({ inputTokens: 3, outputTokens: 5, estimated: false }),
        { tokens: { inputTokens: 4, outputTokens: 7, estimated: true } },
      ],
      [
        'knows that nothing was estimated',
        {},
        abortedWith({ inputTokens: 3, outputTokens: 5, estimated: false }),
        { tokens: { inputTokens: 3, outputTokens: 5, estimated: false } },
      ],
    ],
  },
  countTry: {
    reducer: reducers.countTry,
    knows: ['reply.failed'],
    rows: [
      [
        'counts, and keeps when it may be made',
        { attempt: 2 },
        e.brokeOff({ retryAtMs: 70 }),
        { attempt: 3, askAtMs: 70 },
      ],
      ['may be made at once', {}, e.failed({ atMs: 8 }), { attempt: 2, askAtMs: 8 }],
    ],
  },
  keepCalls: {
    reducer: reducers.keepCalls,
    knows: ['reply.stopped', 'reply.ended'],
    rows: [
      [
        'numbers them within the step',
        { step: 3 },
        e.ended({ calls: 2 }),
        { calls: [call({ callId: '3.1', key: '' }), call({ callId: '3.2', key: '' })] },
      ],
      [
        'knows which input was repaired',
        {},
        stoppedWith([
          { tool: 'a', input: null, repaired: true },
          { tool: 'b', input: 'x', repaired: false },
        ]),
        {
          calls: [
            call({ tool: 'a', input: null, repaired: true, key: '' }),
            call({ callId: '1.2', tool: 'b', input: 'x', key: '' }),
          ],
        },
      ],
    ],
  },
  keepAnswer: {
    reducer: reducers.keepAnswer,
    knows: ['reply.ended', 'answer.accepted'],
    rows: [
      ['that was read', {}, e.ended({ answer: 'read' }), { answer: 'read' }],
      ['that was accepted', { proposed: 'yes' }, e.accepted(), { answer: 'yes' }],
    ],
  },
  keepProposed: {
    reducer: reducers.keepProposed,
    knows: ['reply.ended'],
    rows: [['that was read', {}, e.ended({ answer: 'read' }), { proposed: 'read' }]],
  },
  keepDeadline: {
    reducer: reducers.keepDeadline,
    knows: ['approval.asked'],
    rows: [['of the question', {}, e.asked(), { approvalUntilMs: 1e12 }]],
  },
  keepFailure: {
    reducer: reducers.keepFailure,
    knows: ['reply.failed', 'store.failed', 'machine.failed'],
    rows: [
      ['of the model', {}, e.failed(), { failure: { message: 'no route', hint: 'look at the cable' } }],
      ['of the store', {}, e.storeFailed(), { failure: { message: 'no space', hint: 'Free some.' } }],
      [
        'of the machine',
        {},
        e.machineFailed(),
        {
          failure: {
            message: 'a defect',
            hint: 'This is a defect of the loop: please report it with the trace.',
          },
        },
      ],
    ],
  },
};

walk(table);

it('a run begins with nothing spent and nothing kept', () => {
  const limits = e.limits();
  expect(initialContext({ limits })).toEqual({
    limits,
    atMs: 0,
    step: 0,
    attempt: 1,
    askAtMs: 0,
    nestedSteps: 0,
    toolCalls: 0,
    tokens: { inputTokens: 0, outputTokens: 0, estimated: false },
    violations: 0,
    violationsInRow: 0,
    toolErrorsInRow: 0,
    emptyInRow: 0,
    violation: null,
    calls: [],
    answer: null,
    proposed: null,
    approvalUntilMs: null,
    effects: [],
    window: [],
    loop: 'none',
    stopReason: null,
    failure: null,
  });
});

it('a step is charged when it begins, and nothing of the last one remains', () => {
  const after = context({
    step: 4,
    attempt: 2,
    askAtMs: 70,
    calls: calls('succeeded'),
    violation: 'empty',
    proposed: 'yes',
    approvalUntilMs: 5,
    loop: 'warn',
  });
  expect(changes(after, reducers.spendStep(after))).toEqual({
    step: 5,
    attempt: 1,
    askAtMs: 0,
    calls: [],
    violation: null,
    proposed: null,
    approvalUntilMs: null,
    loop: 'none',
  });
});

it('an end keeps its reason', () => {
  const before = context();
  expect(changes(before, reducers.endWith(before, 'timeout'))).toEqual({ stopReason: 'timeout' });
});

describe('a violation', () => {
  it.each([
    ['truncated', e.truncated()],
    ['answer_rejected', e.rejected()],
    ['unreadable_input', e.ended({ violation: 'unreadable_input' })],
    ['no_step', e.ended()],
    ['no_step', e.stopped('answer')],
  ] as const)('%s', (violation, event) => {
    const before = context({ violations: 5, violationsInRow: 1 });
    const after = reducers.countViolation(before, event);
    expect(changes(before, after)).toEqual({ violation, violations: 6, violationsInRow: 2 });
  });
});
