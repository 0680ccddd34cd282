// #region approval
import { createAgent, tool } from 'fuseloop';
import { scriptedModel } from 'fuseloop/testing';
import { z } from 'zod';

const paid: string[] = [];
const agent = createAgent({
  model: scriptedModel([
    'Thought: It is due.\nAction: pay\nAction Input: {"to":"Ada","amount":900}',
    'Thought: It is paid.\nFinal Answer: Ada has her money.',
  ]),
  tools: {
    pay: tool({
      description: 'Pays an amount.',
      inputSchema: z.object({ to: z.string(), amount: z.number().positive() }),
      sideEffect: true,
      needsApproval: ({ amount }, { context }) => amount > 100 || context === 'guest',
      execute: ({ to, amount }) => {
        paid.push(`${amount} to ${to}`);
        return `paid ${amount}`;
      },
    }),
  },
});

// Nobody is there: the call suspends the run, and nothing waits in memory.
const suspended = await agent.run('Pay what we owe to Ada.');
if (suspended.ok || suspended.snapshot === undefined) throw new Error('It should have asked.');
const stored = JSON.stringify(suspended.snapshot);
console.log(suspended.stopReason, paid);

// Later, perhaps in another process: show a person what waits, and go on.
const run = agent.resume(JSON.parse(stored));
for (const { callId, tool, input, status } of run.snapshot().context.calls)
  if (status === 'asking') console.log(callId, tool, input);
run.approve('1.1', { input: { to: 'Ada', amount: 90 }, by: 'grace' });

const outcome = await run.outcome;
console.log(outcome.stopReason, paid, outcome.steps[0]?.calls[0]?.observation);
// #endregion
