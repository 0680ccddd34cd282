/** What each transition keeps in the context: the truth table says where the run goes, this one what it remembers. */
import { describe, expect, it } from 'vitest';
import type { ReactEvent } from '../../src/core/events.ts';
import type { CallState, RunLimits } from '../../src/core/snapshot.ts';
import * as e from './driver.ts';

const gating = (count: number) => [e.stopped('action'), e.ended({ calls: count })];
const running = (passes: string, effect: CallState['effect'] = 'unmarked') => [
  ...gating(passes.length),
  e.checked(passes, { effect }),
];
const proposed = [e.stopped('answer'), e.ended({ answer: 'yes' })];
const checks = { checksAnswer: true };

/** The statuses of the calls in few words; anything else of the context by name. */
interface Kept {
  readonly [member: string]: unknown;
  readonly calls?: string;
}

/** When; the events before; the event; what is kept; limits. */
type Row = readonly [string, readonly ReactEvent[], ReactEvent, Kept, Partial<RunLimits>?];

const table: Readonly<Record<string, readonly Row[]>> = {
  'leaving THOUGHT': [
    [
      'each reply is charged',
      [],
      e.ended({ total: 9 }),
      { tokens: { inputTokens: 8, outputTokens: 1, estimated: true } },
    ],
    ['a cut is a violation', [], e.truncated(), { violations: 1, violationsInRow: 1, step: 2 }],
    ['so is an end that holds nothing', [], e.ended({ violation: 'empty' }), { violations: 1, violationsInRow: 1 }],
    ['of which the last is kept', [], e.truncated(), { violation: 'truncated' }, { maxViolations: 1 }],
    ['a failure is kept', [], e.failed(), { failure: { message: 'no route', hint: 'look at the cable' } }],
    ['a filter is no failure', [], e.filtered(), { failure: null }],
    ['the calls before a stop', [e.stopped('action')], e.stopped('observation', 2), { calls: 'read read' }],
    ['the calls of a whole reply', [e.stopped('action')], e.ended({ calls: 2 }), { calls: 'read read' }],
    ['an answer', [e.stopped('answer')], e.ended({ answer: 'yes' }), { answer: 'yes', proposed: null }],
    [
      'an answer that is to be checked',
      [e.stopped('answer')],
      e.ended({ answer: 'yes' }),
      { answer: null, proposed: 'yes' },
      checks,
    ],
  ],
  'in ACTION.gating': [
    [
      'the verdicts; and the first call starts',
      gating(3),
      e.checked('rra'),
      { calls: 'started ready asking', toolCalls: 1 },
    ],
    [
      'the verdicts; and reads start together',
      gating(2),
      e.checked('rr', { effect: 'readOnly' }),
      { calls: 'started started', toolCalls: 2 },
    ],
    ['the verdicts where a person is asked', gating(2), e.checked('ax'), { calls: 'asking refused', toolCalls: 0 }],
    [
      'the verdicts where all are refused',
      gating(2),
      e.checked('xx'),
      { calls: 'refused refused' },
      { maxToolErrors: 1 },
    ],
    [
      'the verdicts where nothing may start',
      gating(2),
      e.checked('rr'),
      { calls: 'ready ready', toolCalls: 0 },
      { maxToolCalls: 1 },
    ],
  ],
  'in ACTION.running': [
    ['a result among reads', running('rr', 'readOnly'), e.settled(2), { calls: 'started succeeded' }],
    ['a result, and the next call starts', running('rr'), e.settled(1), { calls: 'succeeded started', toolCalls: 2 }],
    ['a result, and a person is asked', running('ra'), e.settled(1), { calls: 'succeeded asking' }],
    [
      'a result after which nothing may start',
      running('ra'),
      e.settled(1),
      { calls: 'succeeded asking' },
      { maxToolCalls: 1 },
    ],
    ['the last result', running('r'), e.settled(1, 'failed'), { calls: 'failed' }, { maxToolErrors: 1 }],
    ['the last result, which is the answer', running('e'), e.settled(1), { calls: 'succeeded', answer: 'ok' }],
    [
      'an unknown result and its effect',
      running('r'),
      e.settled(1, 'unknown'),
      {
        calls: 'unknown',
        effects: [{ callId: '1.1', tool: 'search', input: { q: 1 }, key: 'search {"q":1}', status: 'unknown' }],
      },
      { maxToolErrors: 1 },
    ],
  ],
  'in ACTION.awaitingApproval': [
    ['until when', running('a'), e.asked(), { approvalUntilMs: 1e12 }],
    ['a yes, and others are undecided', running('aa'), e.granted(2), { calls: 'asking ready', toolCalls: 0 }],
    [
      'the last yes, and calls start',
      running('aa').concat(e.granted(2)),
      e.granted(1),
      { calls: 'started ready', toolCalls: 1 },
    ],
    [
      'the last yes, and nothing may start',
      running('aa').concat(e.granted(2)),
      e.granted(1),
      { calls: 'ready ready' },
      { maxToolCalls: 1 },
    ],
    ['a no, and others are undecided', running('aa'), e.denied(2), { calls: 'asking refused' }],
    [
      'the last no, and calls start',
      running('aa').concat(e.granted(2)),
      e.denied(1),
      { calls: 'refused started', toolCalls: 1 },
    ],
    [
      'the last no, and nothing may start',
      running('aaa').concat(e.granted(2), e.granted(3)),
      e.denied(1),
      { calls: 'refused ready ready' },
      { maxToolCalls: 1 },
    ],
    ['the last no, and nothing is left', running('a'), e.denied(1), { calls: 'refused' }, { maxToolErrors: 1 }],
  ],
  'in ACTION.checkingAnswer': [
    ['the answer that was accepted', proposed, e.accepted(), { answer: 'yes' }, checks],
    [
      'a violation where it was sent back',
      proposed,
      e.rejected(),
      { violation: 'answer_rejected', violations: 1, answer: null },
      { ...checks, maxViolations: 1 },
    ],
  ],
  'at an end from outside': [
    ['an abort gives up what was started', running('rr'), e.aborted(), { calls: 'unknown ready', failure: null }],
    ['so does the deadline', running('rr'), e.expired(), { calls: 'unknown ready', failure: null }],
    [
      'so does a store that fails, and it is kept',
      running('rr'),
      e.storeFailed(),
      { calls: 'unknown ready', failure: { message: 'no space', hint: 'Free some.' } },
    ],
    [
      'and what waited for it never started',
      running('rr'),
      e.storeFailed(['1.1']),
      { calls: 'refused ready', effects: [] },
    ],
    [
      'so does a defect, and it is kept',
      running('rr'),
      e.machineFailed(),
      {
        calls: 'unknown ready',
        failure: { message: 'a defect', hint: 'This is a defect of the loop: please report it with the trace.' },
      },
    ],
    [
      'a reply that is left is charged',
      [],
      e.aborted(),
      { tokens: { inputTokens: 1, outputTokens: 1, estimated: true } },
    ],
    [
      'and so is one that the deadline cuts',
      [],
      e.expired(),
      { tokens: { inputTokens: 1, outputTokens: 1, estimated: true } },
    ],
  ],
};

describe.each(Object.entries(table))('%s', (_where, rows) => {
  const whole = rows.map(([when, before, event, kept, limits = {}]) => [when, before, event, kept, limits] as const);
  it.each(whole)('%s', (_when, before, event, { calls, ...kept }, limits) => {
    const { snapshot } = e.port.step(e.drive(before, limits).snapshot, event);
    expect(snapshot.context).toMatchObject(kept);
    if (calls !== undefined) expect(snapshot.context.calls.map(({ status }) => status).join(' ')).toBe(calls);
  });
});
