// #region audit
import { createAgent, type TraceEvent, tool } from 'fuseloop';
import { auditOf } from 'fuseloop/observe';
import { scriptedModel } from 'fuseloop/testing';
import { z } from 'zod';

const send = tool({
  description: 'Sends a message.',
  inputSchema: z.object({ to: z.string() }),
  sideEffect: true,
  execute: ({ to }) => `sent to ${to}`,
});

const trace: TraceEvent[] = []; // or a file, one event a line, for fuseloop audit
const agent = createAgent({
  model: scriptedModel([
    'Thought: Ada first.\nAction: send\nAction Input: {"to":"Ada"}',
    'Thought: Then Bob.\nAction: send\nAction Input: {"to":"Bob"}',
    'Thought: That is all.\nFinal Answer: Ada knows.',
  ]),
  tools: { send },
  onEvent: (event) => trace.push(event),
});

const run = agent.start('Tell Ada and Bob.');
for await (const event of run) {
  if (event.type !== 'approval.asked') continue;
  if (event.step === 1) run.approve('1.1', { by: 'grace' });
  else run.deny('2.1', 'Bob is on leave', { by: 'grace' });
}

for (const { callId, tool, decision, by, why } of auditOf(trace))
  if (callId !== null)
    console.log([callId, tool, decision, by, why.replace(/\d+ ms/, '… ms')].filter(Boolean).join(' · '));
// #endregion
