import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'fuseloop-days-later-'));
process.chdir(folder);

// #region days-later
import { createAgent, tool } from 'fuseloop';
import { fileStore } from 'fuseloop/store';
import { scriptedModel } from 'fuseloop/testing';
import { z } from 'zod';

/** Made in the same way in each process: the store keeps the run, and not the agent. */
const agentOf = (replies: readonly string[]) =>
  createAgent({
    model: scriptedModel(replies),
    tools: {
      cancel_order: tool({
        description: 'Cancels an order.',
        inputSchema: z.object({ order: z.string() }),
        sideEffect: true, // a person is asked
        execute: ({ order }) => `${order} is cancelled`,
      }),
    },
    store: fileStore('runs'),
  });

const first = agentOf(['Thought: Cancel it.\nAction: cancel_order\nAction Input: {"order":"A-7"}']);
const left = await first.run('Cancel the order A-7.', { runId: 'order-7' }); // nobody is there to ask
console.log(left.stopReason);

// Days later, in another process. Where nobody decides, pass { attended: false }: it waits on.
const run = await agentOf(['Thought: Done.\nFinal Answer: A-7 is cancelled.']).resume('order-7');
run.approve('1.1', { by: 'Ada' }); // or deny('1.1', why)
const outcome = await run.outcome;
console.log(outcome.ok ? outcome.answer : outcome.stopReason);
// #endregion

process.chdir(tmpdir());
rmSync(folder, { recursive: true });
