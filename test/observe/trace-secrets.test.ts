/** Wherever a secret is planted, no observer sees it: what they see has passed the one place where traces are redacted. */
import { expect, it } from 'vitest';
import { createAgent } from '../../src/agent.ts';
import type { TraceEvent } from '../../src/core/trace.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { tool } from '../../src/tool.ts';
import { virtualClock } from '../../src/verify/virtual-clock.ts';

const secret = 'S3cretValueOfTheHost';
const schema = {
  type: 'object',
  description: secret,
  // Names by which events are told apart are only names here.
  properties: { state: { type: 'string', description: secret }, model: { type: 'string', enum: [secret, 'x'] } },
} as const;

async function seen(dialect: 'labelled' | 'native'): Promise<readonly TraceEvent[]> {
  const clock = virtualClock();
  const events: TraceEvent[] = [];
  const call = (name: string, input: { readonly [key: string]: string }) =>
    dialect === 'native'
      ? { text: `I know ${secret}.`, calls: [{ tool: name, input }], providerData: { state: secret, by: [secret] } }
      : `Thought: ${secret}\nAction: ${name}\nAction Input: ${JSON.stringify(input)}`;
  const last = (text: string) => (dialect === 'native' ? text : `Thought: ${secret}\nFinal Answer: ${text}`);
  const inner = createAgent({
    model: scriptedModel([`Thought: ${secret}\nFinal Answer: ${secret}`], { clock }),
    tools: {},
    clock,
  });
  const tools = {
    look: tool({ description: secret, inputSchema: schema, execute: () => ({ result: secret, [secret]: 1 }) }),
    fail: tool({
      description: '',
      inputSchema: schema,
      execute: () => Promise.reject(new Error(secret, { cause: new Error(secret) })),
    }),
    ask: inner.asTool({ description: secret }),
  };
  const model = scriptedModel(
    [call('look', { state: secret }), call('fail', { model: secret }), call('ask', { task: secret }), last(secret)],
    { clock },
  );
  const agent = createAgent({
    model,
    tools,
    clock,
    dialect,
    system: secret,
    redact: [secret],
    onEvent: (event) => void events.push(event),
  });
  await clock.until(
    agent.run(`Say ${secret}.`, {
      messages: [
        { role: 'user', content: secret },
        { role: 'assistant', content: secret },
      ],
    }),
  );
  return events;
}

it.each(['labelled', 'native'] as const)('%s', async (dialect) => {
  const events = await seen(dialect);
  const types = new Set(events.map(({ type }) => type));
  for (const type of [
    'run.started',
    'prompt.sent',
    'calls.checked',
    'call.settled',
    'call.nested',
    'run.ended',
  ] as const)
    expect(types).toContain(type);
  expect(events.filter((event) => JSON.stringify(event).includes(secret))).toEqual([]);
});
