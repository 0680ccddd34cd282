// #region tool-marks
import { createAgent, tool } from 'fuseloop';
import { scriptedModel } from 'fuseloop/testing';
import { z } from 'zod';

const readStock = tool({
  description: 'Reads how many pieces of an article are in stock.',
  inputSchema: z.object({ article: z.string() }),
  readOnly: true, // runs beside other reads, and may be tried again
  retries: 2,
  timeoutMs: 5_000,
  rateLimit: { calls: 10, perMs: 1_000 },
  execute: ({ article }, { attempt }) => {
    if (attempt === 1) throw new Error('The warehouse does not answer.');
    return { article, pieces: 2 };
  },
});

const orderMore = tool({
  description: 'Orders pieces of an article.',
  inputSchema: z.object({ article: z.string(), pieces: z.int().min(1) }),
  sideEffect: true, // never done twice
  needsApproval: ({ pieces }) => pieces > 10, // a person is asked about large orders alone
  maxCallsPerRun: 3,
  execute: ({ article, pieces }, { idempotencyKey }) => {
    // Give the key to a service that knows such keys: it is the same for the same call, also after a crash.
    return `ordered ${pieces} of ${article}, key ${idempotencyKey}`;
  },
});

const agent = createAgent({
  model: scriptedModel([
    'Thought: Look first.\nAction: read_stock\nAction Input: {"article":"A-7"}',
    'Thought: Too few.\nAction: order_more\nAction Input: {"article":"A-7","pieces":5}',
    'Thought: Did I order?\nAction: order_more\nAction Input: {"article":"A-7","pieces":5}',
    'Thought: I did.\nFinal Answer: 5 pieces of A-7 are ordered.',
  ]),
  tools: { read_stock: readStock, order_more: orderMore },
  onEvent: (event) => {
    if (event.type === 'call.retried') console.log(`try ${event.attempt} of ${event.callId}: ${event.error?.message}`);
  },
});

const outcome = await agent.run('See to it that there are five of A-7.', { runId: 'run-1' });
for (const { calls } of outcome.steps)
  for (const { tool, status, observation } of calls) console.log(`${tool} ${status}: ${observation}`);
// #endregion
