/** Programs as a user would write them, for the compiler. */

/** Many tools with wide schemas, and a run with a typed input in each. */
export function manyTools(tools: number, fields: number): string {
  const members = range(fields).map((field) => `f${field}: ${fieldTypes[field % fieldTypes.length]}`);
  const record = range(tools).map(
    (index) => `  tool${index}: tool({
    description: 'Tool ${index}',
    inputSchema: z.object({ t${index}: z.string(), ${members.join(', ')} }),
    execute: (input) => \`\${input.t${index}} \${String(input.f0)}\`,
  }),`,
  );
  return `import { createAgent, tool } from 'fuseloop';
import { scriptedModel } from 'fuseloop/testing';
import { z } from 'zod';
const agent = createAgent({ model: scriptedModel(['Final Answer: ok']), tools: {\n${record.join('\n')}\n} });
export const outcome = await agent.run('Go.');
`;
}

const fieldTypes = [
  'z.string()',
  'z.number().optional()',
  "z.enum(['a', 'b', 'c'])",
  'z.array(z.object({ x: z.number(), y: z.string() }))',
  'z.union([z.string(), z.number()])',
  'z.record(z.string(), z.boolean())',
];

/** The same tool with the schema of three makers; the input has its type in each. */
export const schemaSources = `import { createAgent, tool } from 'fuseloop';
import { scriptedModel } from 'fuseloop/testing';
import { z as z4 } from 'zod';
import { z as z3 } from 'zod/v3';
const twice = (n: number): number => 2 * n;
const v4 = tool({ inputSchema: z4.object({ n: z4.number() }), execute: ({ n }) => twice(n) });
const v3 = tool({ inputSchema: z3.object({ n: z3.number() }), execute: ({ n }) => twice(n) });
const plain = tool({
  inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  execute: (input) => JSON.stringify(input),
});
export const agent = createAgent({ model: scriptedModel([]), tools: { v4, v3, plain } });
`;

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}
