// #region policies
import { createAgent, type Policy, tool } from 'fuseloop';
import { scriptedModel } from 'fuseloop/testing';

let ran = false;
const execute = () => {
  ran = true;
  return 'done';
};
const inputSchema = { type: 'object' } as const;
const tools = {
  look: tool({ inputSchema, execute, readOnly: true }),
  note: tool({ inputSchema, execute }), // no mark
  save: tool({ inputSchema, execute, sideEffect: true }),
};

async function resultOf(name: string, policy: Policy | undefined) {
  ran = false;
  const model = scriptedModel([`Action: ${name}\nAction Input: {}`, 'Final Answer: That is all.']);
  const agent = createAgent({ model, tools, ...(policy !== undefined && { policy }) });
  const { steps, stopReason } = await agent.run('Go.');
  if (ran) return 'runs';
  if (stopReason === 'suspended') return 'a person is asked';
  return steps[0]?.calls[0]?.status === 'refused' ? 'is refused' : 'is told of, and not done';
}

const policies: (Policy | undefined)[] = [undefined, 'readOnly', 'dryRun', 'ask', 'all', { allow: ['note'] }];
console.log('| `policy` | `look`: readOnly | `note`: no mark | `save`: sideEffect |');
console.log('| --- | --- | --- | --- |');
for (const policy of policies) {
  const name = policy === undefined ? 'none' : `\`${JSON.stringify(policy).replaceAll('"', "'")}\``;
  const results: string[] = [];
  for (const tool of ['look', 'note', 'save']) results.push(await resultOf(tool, policy));
  console.log(`| ${[name, ...results].join(' | ')} |`);
}
// #endregion
