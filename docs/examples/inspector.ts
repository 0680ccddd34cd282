import { createAgent } from 'fuseloop';
import { scriptedModel } from 'fuseloop/testing';
import { calculator } from 'fuseloop/tools';

const model = scriptedModel([
  'Thought: I must not do this in my head.\nAction: calculator\nAction Input: {"expression": "6 * 7"}',
  'Thought: I have the result.\nFinal Answer: 42',
]);

// #region inspector
import { createInspector } from 'fuseloop/inspect';

const inspector = await createInspector(); // on 127.0.0.1, at any port that is free
const agent = createAgent({ model, tools: { calculator }, policy: 'ask', onEvent: inspector.onEvent });

const run = agent.start('What is 6 × 7?');
inspector.watch(run, { decidable: true }); // the page may approve, deny and abort
console.log(inspector.url.replace(/\d+\/\?token=.*/, '…/?token=…'));

for await (const event of run) if (event.type === 'approval.asked') run.approve('1.1'); // here the program is first
console.log((await run.outcome).stopReason);
await inspector.close();
// #endregion
