/** What a person let run is what runs, as it stands when they say so; what would be done twice is known however it is written. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createAgent } from '../../src/agent.ts';
import type { AgentOptions } from '../../src/agent-options.ts';
import type { JsonValue } from '../../src/core/json.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import type { Run } from '../../src/run.ts';
import { tool } from '../../src/tool.ts';
import { setup } from './setup.ts';

/** Pays, and notes what. A payment to Eve never tells what came of it. */
function paying(calls: readonly (readonly JsonValue[])[], agent: Partial<AgentOptions> = {}) {
  const paid: unknown[] = [];
  const pay = tool({
    inputSchema: z.object({ to: z.string().trim(), by: z.string().default('mail') }),
    sideEffect: true,
    timeoutMs: 1_000,
    execute: (input) => {
      paid.push(input.to);
      return input.to === 'Eve' ? new Promise<string>(() => {}) : 'paid';
    },
  });
  const replies = calls.map((inputs) => ({ calls: inputs.map((input) => ({ tool: 'pay', input })) }));
  const made = setup({ replies: [...replies, 'done'], tools: { pay }, agent: { dialect: 'native', ...agent } });
  return { ...made, paid, pay };
}

/** Decides each call as it is asked about, in their order. */
async function decided(made: ReturnType<typeof paying>, decide: (run: Run, callId: string, nth: number) => void) {
  const run = made.start();
  let nth = 0;
  const seen = (async () => {
    for await (const event of run)
      if (event.type === 'approval.asked')
        for (const { callId, status } of run.snapshot().context.calls)
          if (status === 'asking') decide(run, callId, nth++);
  })();
  const outcome = await made.clock.until(run.outcome);
  await seen;
  return outcome;
}

const fates = (outcome: Awaited<ReturnType<typeof decided>>) =>
  outcome.steps.flatMap(({ calls }) => calls.map(({ status }) => status));

it.each<[string, readonly JsonValue[]]>([
  ['with the default written out', [{ to: 'Eve' }, { to: 'Eve', by: 'mail' }]],
  ['with blanks that the schema takes off', [{ to: 'Eve' }, { to: ' Eve ' }]],
  ['with a key that the schema leaves out', [{ to: 'Eve' }, { to: 'Eve', note: 1 }]],
])('an effect that nobody knows of is not started again: %s', async (_what, inputs) => {
  const made = paying(
    inputs.map((input) => [input]),
    { policy: 'all' },
  );
  const outcome = await made.run();
  expect(made.paid).toEqual(['Eve']);
  expect(fates(outcome)).toEqual(['unknown', 'refused']);
});

it('whoever is asked about equal calls of one reply is told so', async () => {
  const made = paying([[{ to: 'Ada' }, { to: 'Ada ' }]]);
  await decided(made, (run, callId, nth) => (nth === 0 ? run.approve(callId) : run.deny(callId)));
  const checked = made.events.find((event) => event.type === 'calls.checked');
  expect(checked?.verdicts.map(({ observation }) => observation)).toEqual([
    null,
    'Repeats call 1.1, of the same reply.',
  ]);
  expect(made.paid).toEqual(['Ada']);
});

it('an edit that makes a call equal to another one of the reply is refused', async () => {
  const made = paying([[{ to: 'Eve' }, { to: 'Bob' }]]);
  const outcome = await decided(made, (run, callId, nth) =>
    nth === 0 ? run.approve(callId) : run.approve(callId, { input: { to: 'Eve' } }),
  );
  expect(made.paid).toEqual(['Eve']);
  expect(fates(outcome)).toEqual(['unknown', 'refused']);
});

it('an edit that repeats an effect of an earlier step is refused', async () => {
  const made = paying([[{ to: 'Ada' }], [{ to: 'Bob' }]]);
  const outcome = await decided(made, (run, callId, nth) =>
    run.approve(callId, nth === 0 ? {} : { input: { to: 'Ada' }, by: 'ada' }),
  );
  expect(made.paid).toEqual(['Ada']);
  expect(fates(outcome)).toEqual(['succeeded', 'refused']);
  expect(made.events.find((event) => event.type === 'approval.denied')).toMatchObject({
    cause: 'duplicate',
    by: 'ada',
    input: { to: 'Ada' },
  });
});

it('a decision is one, also while its input is being checked: what was let run is what runs', async () => {
  const made = paying([[{ to: 'Ada' }]]);
  const run = made.start();
  await made.clock.calm();
  run.approve('1.1', { input: { to: 'Bob' }, by: 'ada' });
  expect(() => run.approve('1.1', { by: 'eve' })).toThrow(expect.objectContaining({ code: 'not_awaiting' }));
  const outcome = await made.clock.until(run.outcome);
  expect(made.paid).toEqual(['Bob']);
  expect(outcome.steps[0]?.calls[0]?.input).toEqual({ to: 'Bob' });
  expect(made.events.find((event) => event.type === 'approval.granted')).toMatchObject({
    by: 'ada',
    edited: true,
    input: { to: 'Bob' },
  });
});

it('the policy of the agent that goes on holds', async () => {
  const made = paying([[{ to: 'Ada' }]]);
  const suspended = await made.run();
  if (suspended.ok || suspended.snapshot === undefined) return expect.unreachable();
  const strict = createAgent({
    model: scriptedModel(['done'], { clock: made.clock }),
    clock: made.clock,
    tools: { pay: made.pay },
    dialect: 'native',
    policy: 'readOnly',
  });
  const run = strict.resume(JSON.parse(JSON.stringify(suspended.snapshot)));
  run.approve('1.1');
  const outcome = await made.clock.until(run.outcome);
  expect(made.paid).toEqual([]);
  expect(outcome.steps[0]?.calls[0]).toMatchObject({ status: 'refused' });
});

it('what was told in a dry run is not taken for done', async () => {
  const made = paying([[{ to: 'Ada' }], [{ to: 'Ada' }]], { policy: 'dryRun' });
  const outcome = await made.run();
  expect(made.paid).toEqual([]);
  expect(outcome.steps.flatMap(({ calls }) => calls.map(({ observation }) => observation?.slice(0, 12)))).toEqual([
    '(Dry run: pa',
    '(Dry run: pa',
  ]);
});

it('after the time to decide nothing is let run', async () => {
  const made = paying([[{ to: 'Ada' }]]);
  const suspended = await made.run();
  if (suspended.ok || suspended.snapshot === undefined) return expect.unreachable();
  const asked = made.agent.resume(suspended.snapshot);
  await made.clock.calm();
  const snapshot = JSON.parse(JSON.stringify(asked.snapshot()));
  asked.abort();
  await made.clock.pass(600_000);
  const late = made.agent.resume(snapshot); // asked anew: nobody had the run when the time passed
  await made.clock.pass(600_000);
  expect(() => late.approve('1.1')).toThrow(expect.objectContaining({ code: 'not_awaiting' }));
  const outcome = await made.clock.until(late.outcome);
  expect(made.paid).toEqual([]);
  expect(outcome.steps[0]?.calls[0]?.observation).toContain('Nobody decided');
});
