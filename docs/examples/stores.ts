import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const home = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'fuseloop-'));
process.chdir(folder);

// #region stores
import { AgentError, createAgent, tool } from 'fuseloop';
import { fileStore } from 'fuseloop/store';
import { scriptedModel } from 'fuseloop/testing';
import { z } from 'zod';

const cancelOrder = tool({
  description: 'Cancels an order.',
  inputSchema: z.object({ order: z.string() }),
  sideEffect: true, // a person is asked
  execute: ({ order }) => `${order} is cancelled`,
});
const model = scriptedModel([
  'Thought: I know it.\nFinal Answer: Two days.',
  'Thought: Cancel it.\nAction: cancel_order\nAction Input: {"order":"A-7"}',
]);

const store = fileStore('runs'); // in a test: memoryStore()
const agent = createAgent({ model, tools: { cancel_order: cancelOrder }, store });
await agent.run('How long does delivery take?', { runId: 'question-1' });
await agent.run('Cancel the order A-7.', { runId: 'order-7' }); // nobody is there to ask: it is suspended

for (const { runId, status, stopReason, waiting } of await store.list())
  console.log(runId, status, stopReason ?? waiting.map((call) => call.tool));

const held = await store.open('order-7'); // as another process that goes on with it
await agent.resume('order-7').catch((error: unknown) => {
  if (error instanceof AgentError) console.log(`${error.code}: ${error.message}`);
});
await held.release();
console.log(await store.delete('question-1'));
// #endregion
console.log(readdirSync('runs').join(' '));
process.chdir(home);
rmSync(folder, { recursive: true });
