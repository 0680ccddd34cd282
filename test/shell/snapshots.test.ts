/** What is told of a snapshot that was changed: which field, what it is, what it may be. */
import { describe, expect, it } from 'vitest';
import { AgentError } from '../../src/core/errors.ts';
import type { Snapshot } from '../../src/core/snapshot.ts';
import { act, answer, returns, setup } from './setup.ts';

/** A run that waits for a person in its second step. */
async function suspended() {
  const made = setup({
    replies: [act('look', { n: 1 }), act('send', { to: 'a' }), answer('done')],
    tools: { look: returns('seen', { readOnly: true }), send: returns('sent', { sideEffect: true }) },
  });
  const outcome = await made.run();
  if (outcome.ok || outcome.snapshot === undefined) throw new Error('it should have been suspended');
  return { ...made, snapshot: JSON.parse(JSON.stringify(outcome.snapshot)) };
}

const set =
  (path: string, value: unknown) =>
  (snapshot: object): unknown => {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    Reflect.set(
      keys.reduce<object>((inside, key) => Object(Reflect.get(inside, key)), snapshot),
      last,
      value,
    );
    return snapshot;
  };
const drop =
  (path: string) =>
  (snapshot: object): unknown => {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    Reflect.deleteProperty(
      keys.reduce<object>((inside, key) => Object(Reflect.get(inside, key)), snapshot),
      last,
    );
    return snapshot;
  };

describe('a field that was changed', () => {
  it.each<[(snapshot: object) => unknown, string]>([
    [set('context.step', 'x'), 'context.step is "x"; it is a whole number from 0'],
    [set('context.step', -1), 'context.step is -1; it is a whole number from 0'],
    [set('context.step', 0.5), 'context.step is 0.5; it is'],
    [set('context.step', Number.NaN), 'context.step is NaN; it is'],
    [set('context.tokens.inputTokens', null), 'context.tokens.inputTokens is null; it is a whole number'],
    [set('context.limits.maxSteps', 2 ** 60), 'context.limits.maxSteps is 1152921504606847000; it is a whole number'],
    [set('context.limits.loopGuard.endAt', 1), 'context.limits.loopGuard is an object; it is warnAt and endAt from 2'],
    [drop('context.limits.checksAnswer'), 'context.limits.checksAnswer is missing; it is true or false'],
    [set('context.calls', {}), 'context.calls is an object; it is a list'],
    [set('context.calls.0', null), 'context.calls[0] is null; it is an object'],
    [set('context.calls.0.status', 'dancing'), 'context.calls[0].status is "dancing"; it is read or ready or'],
    [set('context.calls.0.callId', ''), 'context.calls[0].callId is ""; it is a text that is not empty'],
    [set('context.extra', 1), 'context.extra is not known; known there: limits, atMs, step'],
    [set('context.loop', 7), 'context.loop is 7; it is none or warn or end'],
    [set('context.stopReason', 'bored'), 'context.stopReason is "bored"; it is final or max_steps'],
    [set('context.approvalUntilMs', 'soon'), 'context.approvalUntilMs is "soon"; it is a number of milliseconds'],
    [
      set('history.messages.0.role', 'developer'),
      'history.messages[0].role is "developer"; it is system or user or assistant or tool',
    ],
    [set('history.steps.0.calls.0.output', undefined), 'history.steps[0].calls[0].output is missing; it is JSON'],
    [set('history.open.notes', []), 'history.open.notes is a list; it is an object'],
    [set('history.open.notes', { x: 1 }), 'history.open.notes.x is 1; it is an object'],
    [set('runId', 4), 'runId is 4; it is a text'],
    [set('task', 'x'.repeat(0)), 'task is ""; it is a text that is not empty'],
    [drop('sequence'), 'sequence is missing; it is a whole number'],
    [set('state', null), 'state is null; it is a state of the machine'],
  ])('is named: %#', async (change, problem) => {
    const { agent, snapshot } = await suspended();
    const thrown = refusalOf(() => Reflect.apply(agent.resume, undefined, [change(snapshot)]));
    expect(thrown).toMatchObject({ code: 'invalid_snapshot' });
    expect(thrown.message).toContain(`The snapshot is damaged: ${problem}`);
  });
});

describe('fields that do not agree', () => {
  it.each<[(snapshot: object) => unknown, string]>([
    [set('state', 'OBSERVATION'), 'state is OBSERVATION, in which no run rests'],
    [set('state', { ACTION: 'running' }), 'in the state ACTION.running no call is started'],
    [set('state', { THOUGHT: 'reasoning' }), 'in the state THOUGHT.reasoning the call 2.1 is asking'],
    [set('context.calls', []), 'in the state ACTION.awaitingApproval no call is asking'],
    [set('context.step', 3), 'context.calls[0].callId is not 3.1'],
    [set('context.violations', 9), 'context.violations is 9, in 2 steps'],
    [set('context.violationsInRow', 1), 'context.violationsInRow is 1, of 0 violations'],
    [set('context.toolErrorsInRow', 3), 'context.toolErrorsInRow is 3, in 2 steps'],
    [
      set('context.limits.maxViolations', 0),
      'context.limits.maxViolations is 0, and the run has had 0 violations in a row',
    ],
    [
      set('context.limits.maxToolErrors', 0),
      'context.limits.maxToolErrors is 0, and the run has had 0 failed tool steps in a row',
    ],
    [set('context.answer', 'made up'), 'context.answer holds a text, and no call has ended the run'],
    [set('context.proposed', 'made up'), 'context.proposed is not null in this state'],
    [set('context.failure', { message: 'a', hint: 'b' }), 'context.failure is not null'],
    [
      set(
        'context.window',
        Array.from({ length: 99 }, () => 'k'),
      ),
      'context.window has 99 entries; it holds up to 16',
    ],
    [
      set('context.effects', [{ callId: '7.1', tool: 'send', input: {}, key: 'k', status: 'succeeded' }]),
      'an effect is of the call 7.1, which no step so far had',
    ],
    [set('history.open', null), 'history.open is null, and step 2 is in progress'],
    [set('history.open.number', 1), 'history.open is step 1, and the run is in step 2'],
    [set('history.steps.0.number', 2), 'history.steps[0] is step 2, out of order'],
    [
      set('history.messages.length', 3),
      'history.messages is not a conversation in which user and assistant take turns',
    ],
    [
      set('history.messages.1.role', 'assistant'),
      'history.messages is not a conversation in which user and assistant take turns',
    ],
    [set('sequence', 0), 'sequence is 0; a run has at least one event'],
  ])('are told of: %#', async (change, problem) => {
    const { agent, snapshot } = await suspended();
    const thrown = refusalOf(() => Reflect.apply(agent.resume, undefined, [change(snapshot)]));
    expect(thrown).toMatchObject({ code: 'invalid_snapshot' });
    expect(thrown.message).toContain(`The snapshot does not agree with itself: ${problem}`);
  });
});

it('a snapshot that is whole is taken, from memory and from JSON', async () => {
  const { agent, clock, snapshot } = await suspended();
  for (const given of [snapshot, JSON.parse(JSON.stringify(snapshot)) satisfies Snapshot]) {
    const run = agent.resume(given);
    run.deny('2.1');
    expect(await clock.until(run.outcome)).toMatchObject({ runId: snapshot.runId });
  }
});

function refusalOf(work: () => unknown): AgentError {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof AgentError) return thrown;
    throw thrown;
  }
  throw new Error('it was taken');
}
