/** A tool that can say whether a call happened. Run it with `npx tsx docs/examples/probe.ts`. */
// #region probe
import { createAgent, tool } from 'fuseloop';
import { scriptedModel } from 'fuseloop/testing';
import { z } from 'zod';

/** What the payment service keeps, by the key of the call. */
const payments = new Map<string, string>();

const pay = tool({
  description: 'Pays an invoice.',
  inputSchema: z.object({ invoice: z.string() }),
  sideEffect: true,
  needsApproval: false,
  execute: ({ invoice }, { idempotencyKey }) => {
    payments.set(idempotencyKey, `${invoice} is paid`);
    return new Promise<string>(() => {}); // the process dies before the service has answered
  },
  probe: (_toolCallId, { idempotencyKey }) => {
    const output = payments.get(idempotencyKey);
    return output === undefined ? { happened: false } : { happened: true, output };
  },
});
const model = scriptedModel([
  'Thought: I pay it.\nAction: pay\nAction Input: {"invoice":"2026-7"}',
  'Thought: It is done.\nFinal Answer: Invoice 2026-7 is paid.',
]);
const agent = createAgent({ model, tools: { pay } });

const run = agent.start('Pay invoice 2026-7.');
for await (const { type } of run) if (type === 'calls.checked') break;
const snapshot = run.snapshot();
run.abort();

const outcome = await agent.resume(snapshot).outcome;
console.log(outcome.steps[0]?.calls[0]?.status, '-', outcome.ok && outcome.answer);
// #endregion probe
