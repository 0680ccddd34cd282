/**
 * The machine as it is made, each time anew and inside the test: where it cannot be made at all, this file says so, while
 * files that make it when they are loaded would not run.
 */
import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';
import { initialContext } from '../../machines/context.ts';
import { createReactMachine } from '../../machines/react.machine.ts';
import { reduce } from '../../machines/reduce.ts';
import type { ReactEvent } from '../../src/core/events.ts';
import { defaults } from '../../src/core/limits.ts';
import type { ReactContext, RunLimits } from '../../src/core/snapshot.ts';
import { createPort, isDone, stateOf } from '../../src/step.ts';

const limits: RunLimits = {
  ...defaults.budget,
  loopGuard: null,
  maxParallel: 8,
  maxEmptyResults: null,
  modelRetries: 0,
  checksAnswer: false,
};
const place = { step: 1, atMs: 1 };
const tokens = { inputTokens: 1, outputTokens: 1, estimated: true };
const answering: ReactEvent = {
  type: 'reply.stopped',
  ...place,
  stop: 'answer',
  thought: null,
  calls: [],
  text: '',
  tokens,
};
const answer: ReactEvent = {
  type: 'reply.ended',
  ...place,
  thought: null,
  calls: [],
  answer: 'yes',
  violation: null,
  hint: null,
  text: '',
  dropped: null,
  tokens,
};
const abort: ReactEvent = { type: 'run.aborted', atMs: 1, why: '', tokens };

it('has these states', () => {
  const { root } = createReactMachine();
  const inner = Object.entries(root.states).map(([name, { states }]) => [name, Object.keys(states)]);
  expect(root.id).toBe('react');
  expect(Object.fromEntries(inner)).toEqual({
    OBSERVATION: [],
    THOUGHT: ['reasoning', 'calling', 'answering'],
    ACTION: ['gating', 'running', 'awaitingApproval', 'checkingAnswer'],
    FINAL: [],
    ERROR: [],
  });
});

it('begins in OBSERVATION, and goes on to the first thought', () => {
  const { root } = createReactMachine();
  expect(root.initial.target.map(({ key }) => key)).toEqual(['OBSERVATION']);
  expect(
    Object.entries(root.states).map(([name, { initial }]) => [name, initial.target.map(({ key }) => key)]),
  ).toEqual([
    ['OBSERVATION', []],
    ['THOUGHT', ['reasoning']],
    ['ACTION', ['gating']],
    ['FINAL', []],
    ['ERROR', []],
  ]);
  expect(stateOf(createPort().start(limits).snapshot)).toEqual({ THOUGHT: 'reasoning' });
});

it.each([
  ['FINAL', [answering, answer]],
  ['ERROR', [abort]],
] as const)('is done in %s', (state, events) => {
  const port = createPort();
  let { snapshot } = port.start(limits);
  expect(isDone(snapshot)).toBe(false);
  for (const event of events) ({ snapshot } = port.step(snapshot, event));
  expect([stateOf(snapshot), isDone(snapshot), snapshot.status]).toEqual([state, true, 'done']);
});

it.each([
  ['an answer', [answering, answer], { stopReason: 'final', answer: 'yes' }],
  ['an abort', [abort], { stopReason: 'aborted', answer: null }],
] as const)('hands out %s, in an actor of XState', (_what, events, output) => {
  const actor = createActor(createReactMachine(), { input: { limits } }).start();
  for (const event of events) actor.send(event);
  expect(actor.getSnapshot()).toMatchObject({ status: 'done', output });
});

describe('a reducer as an action', () => {
  const seven = (context: ReactContext): ReactContext => ({ ...context, step: 7 });
  const action = reduce(seven);
  const asked = { context: initialContext({ limits }), event: abort };
  const member = (name: string, ...inputs: readonly unknown[]): unknown =>
    Reflect.apply(Reflect.get(action, name), null, inputs);

  it('shows XState the reducer as its assignment', () => {
    expect(action).toHaveProperty('type', 'xstate.assign');
    expect(member('assignment', asked)).toEqual(seven(asked.context));
  });

  it('resolves itself, and touches nothing but the context', () => {
    const snapshot = { value: 'a', context: asked.context };
    expect(member('resolve', null, snapshot, asked)).toEqual([{ value: 'a', context: seven(asked.context) }]);
  });
});
