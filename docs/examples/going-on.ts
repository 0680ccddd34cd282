/** A limit ends a run, and a larger budget goes on with it. Run it with `npx tsx docs/examples/going-on.ts`. */
// #region going-on
import { createAgent, tool } from 'fuseloop';
import { scriptedModel } from 'fuseloop/testing';
import { z } from 'zod';

const lookUp = tool({
  description: 'Looks up the stock of an article.',
  inputSchema: z.object({ article: z.string() }),
  readOnly: true,
  execute: ({ article }) => `${article}: 12 left`,
});
const model = scriptedModel([
  'Thought: The lamp first.\nAction: look_up\nAction Input: {"article":"lamp"}',
  'Thought: Then the chair.\nAction: look_up\nAction Input: {"article":"chair"}',
  'Thought: I have both.\nFinal Answer: 12 of each.',
]);
const agent = createAgent({ model, tools: { look_up: lookUp }, budget: { maxSteps: 2 } });

const ended = await agent.run('How many lamps and chairs are left?');
console.log(ended.stopReason, 'after', ended.usage.steps, 'steps and', ended.usage.toolCalls, 'call');

if (!ended.ok && ended.snapshot !== undefined) {
  try {
    agent.resume(ended.snapshot); // with the same budget it would end again at once
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
  }
  const outcome = await agent.resume(ended.snapshot, { budget: { maxSteps: 3 } }).outcome;
  if (outcome.ok) console.log(outcome.answer, outcome.usage.steps, 'steps and', outcome.usage.toolCalls, 'calls');
}
// #endregion going-on
