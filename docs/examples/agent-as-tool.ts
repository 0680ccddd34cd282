/** An agent as a tool: its share of the budget, and what of it is seen. Run it with `npx tsx docs/examples/agent-as-tool.ts`. */
// #region agent-as-tool
import { createAgent, tool } from 'fuseloop';
import { scriptedModel } from 'fuseloop/testing';

const readLog = tool({
  description: 'Reads the log of a service.',
  inputSchema: { type: 'object', properties: { service: { type: 'string' } }, required: ['service'] },
  readOnly: true,
  execute: () => '14:02 pool exhausted, 14:05 pool exhausted',
});

const reader = createAgent({
  model: scriptedModel([
    'Thought: I read it.\nAction: readLog\nAction Input: {"service": "orders"}',
    'Thought: Twice the same.\nFinal Answer: The connection pool ran out at 14:02 and 14:05.',
  ]),
  tools: { readLog },
});

const agent = createAgent({
  model: scriptedModel([
    'Thought: The log first.\nAction: logs\nAction Input: {"task": "What went wrong in orders since 14:00?"}',
    'Thought: That is the cause.\nFinal Answer: The connection pool is too small.',
  ]),
  tools: { logs: reader.asTool({ description: 'Reads logs and says what stands out.', readOnly: true, share: 0.3 }) },
  budget: { maxSteps: 12 },
  onEvent: (event) => {
    if (event.type !== 'call.nested') return;
    const { event: inner } = event;
    if (inner.type === 'run.started') console.log(`logs may make ${inner.limits.maxSteps} model calls`);
    if (inner.type === 'call.settled') console.log(`logs called readLog: ${inner.observation}`);
  },
});

const { usage, steps } = await agent.run('Why do orders fail?');
console.log(`logs gave: ${steps[0]?.calls[0]?.observation}`);
console.log(`the whole run: ${usage.steps} model calls, ${usage.toolCalls} tool calls`);
// #endregion
