/** The shell holds the machine to its laws in tests and development, and a machine of one's own can be run. */
import { expect, test } from 'vitest';
import { createReactMachine } from '../../machines/react.machine.ts';
import { act, setup } from './setup.ts';

const machine = createReactMachine();
/** Steps are never spent. */
const endless = machine.provide({ guards: { stepsSpent: () => false } });
/** Takes an empty answer for one. */
const gullible = machine.provide({ guards: { answerPresent: ({ event }) => event.type === 'reply.ended' } });
/** Charges no step. */
const generous = machine.provide({ actions: { spendStep: () => {} } });
const replies = Array.from({ length: 9 }, (_, n) => act('look', { n }));

test.each([
  ['steps are never spent', endless, 'the model is not asked when a budget is spent'],
  ['an empty answer', gullible, 'what holds no step is a violation, and nothing else is'],
])('a broken law ends the run as a defect: %s', async (_, broken, law) => {
  const { run, model } = setup({
    replies: broken === gullible ? ['Final Answer: '] : replies,
    agent: { machine: broken, budget: { maxSteps: 3 } },
  });
  const outcome = await run();
  expect(outcome).toMatchObject({ ok: false, stopReason: 'internal_error' });
  expect(outcome.ok ? '' : outcome.error?.message).toContain(law);
  expect(model.requests.length).toBeLessThanOrEqual(3);
});

test('a law broken by the first state ends the run before anything is done', async () => {
  const { run, model } = setup({ replies, agent: { machine: generous } });
  expect(await run()).toMatchObject({ ok: false, stopReason: 'internal_error' });
  expect(model.requests).toHaveLength(0);
});

test('with checkLaws: false nobody looks, as in production', async () => {
  const { run, model } = setup({ replies, agent: { machine: endless, checkLaws: false, budget: { maxSteps: 3 } } });
  expect((await run()).stopReason).toBe('model_error'); // the script is used up
  expect(model.requests).toHaveLength(10);
});

test('the machine of the agent is the one that runs', async () => {
  const hasty = machine.provide({ guards: { looping: () => true } });
  const { run } = setup({ replies, agent: { machine: hasty, checkLaws: false } });
  expect((await run()).stopReason).toBe('loop_detected');
});

test.each([
  [{ machine: {} }, 'machine'],
  [{ checkLaws: 'yes' }, 'checkLaws'],
])('%j is refused', (options, name) => {
  expect(() => setup({ replies, agent: JSON.parse(JSON.stringify(options)) })).toThrow(name);
});
