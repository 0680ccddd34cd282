// #region tool-sources
import { createAgent, tool } from 'fuseloop';
import { scriptedModel } from 'fuseloop/testing';
import { joinTools, withJsonSchema } from 'fuseloop/tools';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { zodToJsonSchema } from 'zod-to-json-schema';

const crm = {
  search: tool({
    description: 'Finds customers.',
    inputSchema: z.object({ name: z.string() }),
    readOnly: true,
    execute: ({ name }) => [{ name, address: `${name.toLowerCase()}@example.org` }],
  }),
};

const query = z3.object({ to: z3.string(), most: z3.number().default(10) }); // zod 3 has no JSON Schema of its own
const mail = {
  search: tool({
    description: 'Finds letters.',
    inputSchema: withJsonSchema(query, zodToJsonSchema(query)),
    readOnly: true,
    execute: ({ to, most }) => `no more than ${most} letters to ${to}`,
  }),
};

const agent = createAgent({
  model: scriptedModel([
    'Thought: Who is it?\nAction: crm_search\nAction Input: {"name":"Ada"}',
    'Thought: The letters.\nAction: mail_search\nAction Input: {"to":"ada@example.org","most":"3"}',
    'Thought: Done.\nFinal Answer: Three letters at most.',
  ]),
  tools: joinTools({ crm, mail }, { prefix: true }),
});

const outcome = await agent.run('What did we write to Ada?');
for (const { calls } of outcome.steps)
  for (const { tool, observation } of calls) console.log(`${tool}: ${observation}`);
try {
  joinTools({ crm, mail });
} catch (error) {
  if (error instanceof Error) console.log(error.message);
}
// #endregion
