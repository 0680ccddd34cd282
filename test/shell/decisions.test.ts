/** Decisions and budgets that come at the wrong moment, or hold what cannot be used: each is refused, and nothing is lost. */
import { expect, test } from 'vitest';
import { severalDialect } from '../../src/verify/several-dialect.ts';
import { act, answer, hangs, returns, setup } from './setup.ts';

const send = returns('sent', { sideEffect: true });

test('a call that will be asked about later cannot be approved yet', async () => {
  const calls = [
    { tool: 'look', input: {} },
    { tool: 'send', input: { to: 'a' } },
  ];
  const { start, clock, events } = setup({
    replies: [JSON.stringify({ calls }), JSON.stringify({ answer: 'done' })],
    tools: { look: hangs({ readOnly: true }), send },
    agent: { dialect: severalDialect },
  });
  const run = start();
  await clock.calm();
  expect(run.snapshot().state).toEqual({ ACTION: 'running' });
  expect(() => run.approve('1.2')).toThrow('The call "1.2" does not wait for a decision.');
  expect(() => run.deny('1.2')).toThrow('The call "1.2" does not wait for a decision.');
  await clock.pass(16_000); // the other one is late
  expect(events.some(({ type }) => type === 'approval.asked')).toBe(true);
  run.approve('1.2');
  expect(await clock.until(run.outcome)).toMatchObject({ ok: true, usage: { toolCalls: 2 } });
});

test.each([
  ['a BigInt', { to: 5n }],
  ['undefined', undefined],
  ['a function', () => 1],
  ['NaN', Number.NaN],
  ['what is nested without end', JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)],
])('an edited input that is not JSON is refused, and the call still waits: %s', async (_, input) => {
  const { start, clock } = setup({ replies: [act('send', { to: 'a' }), answer('done')], tools: { send } });
  const run = start();
  await clock.calm();
  const edited = { input: JSON.parse('null') };
  Object.assign(edited, { input });
  expect(() => run.approve('1.1', edited)).toThrow('The edited input of 1.1 cannot be used: input');
  run.approve('1.1');
  expect((await clock.until(run.outcome)).stopReason).toBe('final');
});

test('a run cannot go on with fewer steps than it has used', async () => {
  const replies = [act('look', { n: 1 }), act('send', {}), answer('done')];
  const { agent, run, clock } = setup({ replies, tools: { look: returns('seen'), send } });
  const outcome = await run();
  const snapshot = outcome.ok ? undefined : outcome.snapshot;
  if (snapshot === undefined) throw new Error('It should be suspended.');
  expect(() => agent.resume(snapshot, { budget: { maxSteps: 1 } })).toThrow(
    'budget.maxSteps is 1, and the run is in step 2.',
  );
  expect(() => agent.resume(snapshot, { budget: { maxViolations: 0 } })).toThrow(
    'budget.maxViolations is 0, and the run has had 0 violations in a row.',
  );
  const resumed = agent.resume(snapshot, { budget: { maxSteps: 2 } });
  await clock.calm();
  resumed.deny('2.1');
  expect((await clock.until(resumed.outcome)).stopReason).toBe('max_steps');
});

test('of two equal calls in one reply an unmarked tool runs one, and the model is told', async () => {
  const calls = [
    { tool: 'pay', input: { eur: 1 } },
    { tool: 'pay', input: { eur: 1 } },
    { tool: 'pay', input: { eur: 2 } },
    { tool: 'look', input: {} },
    { tool: 'look', input: {} },
  ];
  const { run, model } = setup({
    replies: [JSON.stringify({ calls }), JSON.stringify({ answer: 'done' })],
    tools: { pay: returns('paid'), look: returns('seen', { readOnly: true }) },
    agent: { dialect: severalDialect },
  });
  const { steps } = await run();
  expect(steps[0]?.calls.map(({ status }) => status)).toEqual([
    'succeeded',
    'refused',
    'succeeded',
    'succeeded',
    'succeeded',
  ]);
  expect(model.requests[1]?.messages.at(-1)?.content).toContain('pay was run once: call 1.1 of the same reply');
});
