// #region answers
import { createAgent, tool } from 'fuseloop';
import { scriptedModel } from 'fuseloop/testing';
import { groundedNumbers } from 'fuseloop/tools';
import { z } from 'zod';

const findOrder = tool({
  description: 'Finds an order by its id. Gives its id and total.',
  inputSchema: z.object({ id: z.string() }),
  readOnly: true,
  execute: ({ id }) => ({ id, total: 1234.5, placedAt: '2026-11-30T10:00:00Z' }),
});

const agent = createAgent({
  model: scriptedModel([
    'Thought: I guess it.\nFinal Answer: {"order": "A-7", "total": 99}',
    'Thought: Look.\nAction: find_order\nAction Input: {"id": "A-7"}',
    'Thought: I have it.\nFinal Answer: {"order": "A-7", "total": "a lot"}',
    'Thought: A number.\nFinal Answer: {"order": "A-7", "total": 1300}',
    'Thought: As it stands there.\nFinal Answer: ```json\n{"order": "A-7", "total": 1234.50}\n```',
  ]),
  tools: { find_order: findOrder },
  requireTools: ['find_order'],
  answerSchema: z.object({ order: z.string(), total: z.number() }),
  checkAnswer: [
    groundedNumbers({ otherwise: 'sendBack' }),
    (_answer, _steps, { value }) => (value.total < 10_000 ? true : { note: 'A large order.' }),
  ],
  budget: { maxViolations: 4 },
});

const outcome = await agent.run('What was the total of order A-7?');
for (const { violation } of outcome.steps) if (violation !== null) console.log(violation.hint);
if (outcome.ok) console.log(outcome.answer.total.toFixed(2), outcome.notes); // a number, by its type
// #endregion
