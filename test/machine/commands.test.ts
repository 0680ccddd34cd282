/** What each command tells the shell, and which command a state waits on. */
import { describe, expect, it } from 'vitest';
import { commandDue, commandOf } from '../../machines/commands.ts';
import type { CallState, ReactContext, StatePath } from '../../src/core/snapshot.ts';
import { call, context } from './contexts.ts';

const statuses: readonly CallState['status'][] = ['ready', 'started', 'asking', 'read', 'started', 'asking', 'refused'];
const calls = statuses.map((status, index) => call({ callId: `3.${index + 1}`, status }));
const started = calls.filter((_, index) => index === 1 || index === 4);
const asking = calls.filter((_, index) => index === 2 || index === 5);
const effects = [{ callId: '1.1', tool: 'search', input: null, key: 'key', status: 'unknown' }] as const;
const full = context(
  {
    step: 3,
    tokens: { inputTokens: 20, outputTokens: 30, estimated: true },
    calls,
    effects,
    proposed: 'perhaps',
    approvalUntilMs: 9,
    attempt: 2,
    askAtMs: 70,
    violation: 'empty',
    answer: 'yes',
    loop: 'warn',
    emptyInRow: 4,
  },
  { maxTokens: 90 },
);

const commands: readonly (readonly [string, object])[] = [
  ['askModel', { step: 3, attempt: 2, atMs: 70, tokensLeft: 40 }],
  ['cancelReply', { step: 3 }],
  ['checkCalls', { step: 3, calls, effects }],
  ['runCalls', { step: 3, calls: started }],
  ['recoverCalls', { step: 3, calls: started }],
  ['cancelCalls', { step: 3 }],
  ['askApproval', { step: 3, calls: asking, untilMs: 9 }],
  ['closeApproval', { step: 3 }],
  ['checkAnswer', { step: 3, answer: 'perhaps' }],
  ['recordStep', { step: 3, calls, violation: 'empty', answer: 'yes', loop: 'warn', emptyInRow: 4 }],
];

it.each(commands)('%s', (type, data) => {
  expect(commandOf(type, full)).toEqual({ type, ...data });
});

it('asking again is asking', () => {
  expect(commandOf('askAgain', full)).toEqual(commandOf('askModel', full));
});

it('the next call that runs is the last that has started', () => {
  expect(commandOf('runNext', full)).toEqual({ type: 'runCalls', step: 3, calls: started.slice(-1) });
});

it.each(['', 'spendStep', 'endWith', 'constructor', '__proto__'])('%j is no command', (action) => {
  expect(commandOf(action, full)).toBeNull();
});

describe('at the edges', () => {
  it.each([
    ['all tokens are spent', 50, 0],
    ['the provider counted more than there were', 49, 0],
    ['one is left', 51, 1],
  ] as const)('%s', (_when, maxTokens, tokensLeft) => {
    const asked: ReactContext = { ...full, limits: { ...full.limits, maxTokens } };
    expect(commandOf('askModel', asked)).toEqual({ type: 'askModel', step: 3, attempt: 2, atMs: 70, tokensLeft });
  });

  it('nothing was proposed', () => {
    const answer = commandOf('checkAnswer', { ...full, proposed: null });
    expect(answer).toEqual({ type: 'checkAnswer', step: 3, answer: '' });
  });
});

const due: readonly (readonly [StatePath, string | null])[] = [
  [{ THOUGHT: 'reasoning' }, 'askModel'],
  [{ THOUGHT: 'calling' }, 'askModel'],
  [{ THOUGHT: 'answering' }, 'askModel'],
  [{ ACTION: 'gating' }, 'checkCalls'],
  [{ ACTION: 'running' }, 'recoverCalls'],
  [{ ACTION: 'awaitingApproval' }, 'askApproval'],
  [{ ACTION: 'checkingAnswer' }, 'checkAnswer'],
  [{ ACTION: 'elsewhere' }, null],
  [{ ELSEWHERE: 'gating' }, null],
  ['OBSERVATION', null],
  ['FINAL', null],
  ['ERROR', null],
];

it.each(due)('%j waits on %s', (state, type) => {
  expect(commandDue(state, full)).toEqual(type === null ? null : commandOf(type, full));
});
