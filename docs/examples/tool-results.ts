// #region tool-results
import { createAgent, ToolError, tool } from 'fuseloop';
import { scriptedModel } from 'fuseloop/testing';
import { z } from 'zod';

const orders = new Map([['A-7', { id: 'A-7', total: 12.5, internalNote: 'vip' }]]);

const findOrder = tool({
  description: 'Finds an order by its id. Gives its id and total.',
  inputSchema: z.object({ id: z.string() }),
  outputSchema: z.object({ id: z.string(), total: z.number() }), // the model never sees internalNote
  readOnly: true,
  execute: ({ id }) => {
    const order = orders.get(id);
    if (order === undefined)
      throw new ToolError(`There is no order ${id}.`, { hint: 'Use search_orders to find its id.' });
    return order;
  },
});

const searchOrders = tool({
  description: 'Searches the orders of a customer.',
  inputSchema: z.object({ customer: z.string() }),
  readOnly: true,
  execute: async function* ({ customer }) {
    yield { customer, found: ['A-1'], isComplete: false }; // the model does not see what is not the last
    yield { customer, found: [], isComplete: true };
  },
  empty: ({ found }) => found.length === 0,
});

const agent = createAgent({
  model: scriptedModel([
    'Thought: Look.\nAction: find_order\nAction Input: {"id":"A7"}',
    'Thought: Search.\nAction: search_orders\nAction Input: {"customer":"Ada"}',
    'Thought: Once more.\nAction: find_order\nAction Input: {"id":"A-7"}',
    'Thought: I have it.\nFinal Answer: 12.50',
  ]),
  tools: { find_order: findOrder, search_orders: searchOrders },
  checkResult: (output, { tool }) => JSON.stringify(output).length < 10_000 || `${tool} gave more than was asked for.`,
});

const outcome = await agent.run('What was the total of order A-7?');
for (const { calls } of outcome.steps)
  for (const { status, observation } of calls) console.log(`${status}: ${observation}`);
// #endregion
