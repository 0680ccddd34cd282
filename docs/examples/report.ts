// #region report
import { createAgent, type TraceEvent } from 'fuseloop';
import { metricsOf, outcomeOfTrace, runViews } from 'fuseloop/observe';
import { scriptedModel } from 'fuseloop/testing';
import { calculator } from 'fuseloop/tools';

const trace: TraceEvent[] = [];
const agent = createAgent({
  model: scriptedModel([
    'Thought: I calculate.\nAction: calculator\nAction Input: {"expression": "6 × 7"}',
    'Thought: I have it.\nFinal Answer: 42',
  ]),
  tools: { calculator },
  onEvent: (event) => trace.push(event),
});
await agent.run('What is 6 × 7?');

const views = runViews(trace);
for (const { phase, steps, lastMoves } of views) {
  for (const { number, thought, calls } of steps)
    console.log(
      number,
      thought,
      calls.map(({ tool, status, output }) => `${tool} ${status}: ${output}`),
    );
  console.log(phase, lastMoves.join(' > '));
}

const outcome = outcomeOfTrace(trace);
console.log(outcome?.stopReason, 'after', outcome?.usage.steps, 'steps');

const { successRate, aRun, tools } = metricsOf(views);
console.log(
  successRate,
  aRun.steps,
  tools.map(({ tool, calls, errors }) => ({ tool, calls, errors })),
);
// #endregion
