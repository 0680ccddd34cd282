/** When each reason for an end is true, at the edges of its numbers. */
import { describe, expect, it } from 'vitest';
import type { Edge, Happening } from '../../machines/edge.ts';
import { isSpent, reasons } from '../../machines/end-reasons.ts';
import type { ReactContext, RunLimits } from '../../src/core/snapshot.ts';
import { calls, context } from './contexts.ts';
import * as e from './driver.ts';

type Row = readonly [keyof typeof reasons, boolean, Partial<ReactContext>, Partial<RunLimits>, Happening?];

const failure = { message: 'a defect', hint: '' };
const tokens = (total: number) => ({ tokens: e.tokens(total) });
const started: Happening = { type: 'run.started' };

const rows: readonly Row[] = [
  ['final', true, { answer: 'yes' }, {}],
  ['final', false, { answer: null }, {}],
  ['max_steps', true, { step: 2 }, { maxSteps: 2 }],
  ['max_steps', false, { step: 1 }, { maxSteps: 2 }],
  ['max_tool_calls', true, { toolCalls: 1, calls: calls('ready', 'started') }, { maxToolCalls: 1 }],
  ['max_tool_calls', true, { toolCalls: 1, calls: calls('asking', 'refused') }, { maxToolCalls: 1 }],
  ['max_tool_calls', true, { toolCalls: 0, calls: calls('asking', 'ready') }, { maxToolCalls: 1 }],
  ['max_tool_calls', false, { toolCalls: 0, calls: calls('ready', 'started') }, { maxToolCalls: 1 }],
  ['max_tool_calls', false, { toolCalls: 1, calls: calls('succeeded', 'read') }, { maxToolCalls: 1 }],
  ['token_budget', true, tokens(5), { maxTokens: 5 }],
  ['token_budget', false, tokens(4), { maxTokens: 5 }],
  ['token_budget', true, tokens(4), { maxTokens: 5 }, e.promptRefused()],
  ['cost_budget', false, {}, {}],
  ['no_progress', true, { emptyInRow: 2 }, { maxEmptyResults: 2 }],
  ['no_progress', false, { emptyInRow: 1 }, { maxEmptyResults: 2 }],
  ['no_progress', false, { emptyInRow: 9 }, { maxEmptyResults: null }],
  ['timeout', true, { atMs: 0 }, { wallClockMs: 9 }, e.expired(9)],
  ['timeout', false, { atMs: 9 }, { wallClockMs: 9 }, e.expired(8)],
  ['timeout', true, { atMs: 9 }, { wallClockMs: 9 }, started],
  ['timeout', false, { atMs: 8 }, { wallClockMs: 9 }, started],
  ['violations_exhausted', true, { violationsInRow: 2 }, { maxViolations: 2 }],
  ['violations_exhausted', false, { violationsInRow: 1 }, { maxViolations: 2 }],
  ['tool_errors_exhausted', true, { toolErrorsInRow: 2 }, { maxToolErrors: 2 }],
  ['tool_errors_exhausted', false, { toolErrorsInRow: 1 }, { maxToolErrors: 2 }],
  ['loop_detected', true, { loop: 'end' }, {}],
  ['loop_detected', false, { loop: 'warn' }, {}],
  ['aborted', true, {}, {}, e.aborted()],
  ['aborted', false, {}, {}, e.expired()],
  ['model_error', true, { failure }, {}, e.failed()],
  ['model_error', false, {}, {}, e.failed()],
  ['model_error', false, { failure }, {}, e.machineFailed()],
  ['content_filter', true, {}, {}, e.filtered()],
  ['content_filter', false, {}, {}, e.failed()],
  ['store_error', true, { failure }, {}, e.storeFailed()],
  ['store_error', false, {}, {}, e.storeFailed()],
  ['store_error', false, { failure }, {}, e.failed()],
  ['internal_error', true, { failure }, {}, e.machineFailed()],
  ['internal_error', false, {}, {}, e.machineFailed()],
  ['internal_error', false, { failure }, {}, e.failed()],
];

const edgeTo = (changed: Partial<ReactContext>, limits: Partial<RunLimits>, event: Happening): Edge => ({
  before: { state: { THOUGHT: 'reasoning' }, context: context({}, limits) },
  event,
  after: { state: 'ERROR', context: context(changed, limits) },
  commands: [],
});

it.each(
  rows.map(([reason, isTrue, changed, limits, event = e.settled()]) => ({ reason, isTrue, changed, limits, event })),
)('$reason is $isTrue: $changed, limits $limits', ({ reason, isTrue, changed, limits, event }) => {
  expect(reasons[reason](edgeTo(changed, limits, event))).toBe(isTrue);
});

describe('the running time is spent', () => {
  it.each([
    [8, false],
    [9, true],
    [10, true],
  ])('at %i: %s', (atMs, spent) => {
    expect(isSpent(atMs, edgeTo({}, { wallClockMs: 9 }, started))).toBe(spent);
  });
});
