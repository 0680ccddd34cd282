// #region secrets
import { createAgent, tool } from 'fuseloop';
import { scriptedModel } from 'fuseloop/testing';

process.env.SHOP_TOKEN = 'tok-4711-secret';

const readOrder = tool({
  description: 'Reads an order from the shop.',
  inputSchema: { type: 'object' },
  readOnly: true,
  execute: () => {
    const headers = { Authorization: 'Bearer abc.def', accept: 'application/json' };
    throw new Error(`GET https://shop:pass@example.org/?token=${process.env.SHOP_TOKEN} ${JSON.stringify(headers)}`);
  },
});

const agent = createAgent({
  model: scriptedModel(['Action: read_order\nAction Input: {}', 'Final Answer: The shop does not answer.']),
  tools: { read_order: readOrder },
  redact: [{ env: 'SHOP_TOKEN' }, /\b\d{16}\b/],
});

const outcome = await agent.run('What is in the order?');
console.log(outcome.steps[0]?.calls[0]?.observation);
// #endregion
