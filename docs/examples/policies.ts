/** Prints the table of docs/safety.md: one run for each cell. */

// #region policies
import { createAgent, type Policy, tool } from 'fuseloop';
import { scriptedModel } from 'fuseloop/testing';

const inputSchema = { type: 'object' } as const;
const tools = {
  look: tool({ inputSchema, execute: work, readOnly: true }),
  note: tool({ inputSchema, execute: work }), // no mark
  save: tool({ inputSchema, execute: work, sideEffect: true }),
};

const agentUnder = (policy: Policy, replies: string[]) => createAgent({ model: scriptedModel(replies), tools, policy });
// #endregion

let worked = 0;
function work() {
  worked += 1;
  return 'done';
}

async function resultOf(name: string, policy: Policy | undefined): Promise<string> {
  const before = worked;
  const replies = [`Action: ${name}\nAction Input: {}`, 'Final Answer: That is all.'];
  const agent =
    policy === undefined ? createAgent({ model: scriptedModel(replies), tools }) : agentUnder(policy, replies);
  const { steps, stopReason } = await agent.run('Go.');
  if (worked > before) return 'runs';
  if (stopReason === 'suspended') return 'a person is asked';
  return steps[0]?.calls[0]?.status === 'refused' ? 'is refused' : 'is told of, and not done';
}

const policies: (Policy | undefined)[] = [undefined, 'readOnly', 'dryRun', 'ask', 'all', { allow: ['note'] }];
console.log('| `policy` | `look` | `note` | `save` |');
console.log('| --- | --- | --- | --- |');
for (const policy of policies) {
  const results: string[] = [];
  for (const name of Object.keys(tools)) results.push(await resultOf(name, policy));
  console.log(`| ${[written(policy), ...results].join(' | ')} |`);
}

function written(policy: Policy | undefined): string {
  if (policy === undefined) return 'none';
  return typeof policy === 'string' ? `\`'${policy}'\`` : `\`{ allow: ['${policy.allow.join("', '")}'] }\``;
}
