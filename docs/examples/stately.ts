// #region stately
import { createAgent, tool } from 'fuseloop';
import { statelyInspect } from 'fuseloop/inspect';
import { scriptedModel } from 'fuseloop/testing';
import { z } from 'zod';

const states: string[] = [];
const stately = statelyInspect({
  // In place of `url: 'ws://localhost:8080'`: here the messages are only looked at.
  send: (message) => {
    if (message.type === '@xstate.actor')
      console.log(`${message.name}: ${Object.keys(JSON.parse(message.definition).states)}`);
    if (message.type === '@xstate.snapshot') states.push(JSON.stringify(message.snapshot.value));
  },
});

const agent = createAgent({
  model: scriptedModel([
    'Thought: I look it up.\nAction: price\nAction Input: {"item":"tea"}',
    'Thought: I know it.\nFinal Answer: 3 euros',
  ]),
  tools: { price: tool({ inputSchema: z.object({ item: z.string() }), execute: () => '3 euros' }) },
  onEvent: stately.onEvent, // or createActor(agent.logic, { inspect: stately.inspect })
});

await agent.run('What does tea cost?');
await stately.close();
console.log(states.filter((state, index) => state !== states[index - 1]).join('\n'));
// #endregion
