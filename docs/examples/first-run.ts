/** The first program: no key, no network. Run it with `npx tsx docs/examples/first-run.ts`. */
// #region first-run
import { createAgent } from 'fuseloop';
import { scriptedModel } from 'fuseloop/testing';
import { calculator } from 'fuseloop/tools';

const model = scriptedModel([
  'Thought: I must not do this in my head.\nAction: calculator\nAction Input: {"expression": "(23.5 × 6 + 12) ÷ 3"}',
  'Thought: I have the result.\nFinal Answer: 51',
]);
const agent = createAgent({ model, tools: { calculator }, budget: { maxSteps: 4 } });
const outcome = await agent.run('What is (23.5 × 6 + 12) ÷ 3?');

if (outcome.ok) console.log(outcome.answer, 'in', outcome.steps.length, 'steps');
else console.error(outcome.stopReason, outcome.partial);
// #endregion
