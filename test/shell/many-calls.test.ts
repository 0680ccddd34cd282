/** A reply may hold any number of calls, such as where a model repeats itself: none of them nests the stack. */
import { expect, it } from 'vitest';
import type { ToolRecord } from '../../src/core/tool.ts';
import { tool } from '../../src/tool.ts';
import { returns, setup } from './setup.ts';

const look = returns('seen', { readOnly: true });
const send = returns('sent', { sideEffect: true });

/** Answers later, as a schema that looks something up. */
const slowSchema = {
  '~standard': {
    version: 1 as const,
    vendor: 'test',
    validate: async (value: unknown) => ({ value }),
  },
};

it.each<[string, ToolRecord]>([
  ['run', { look }],
  ['are refused', {}],
  ['wait for a person', { look: send }],
  [
    'are checked by a schema that takes its time',
    { look: tool({ inputSchema: slowSchema, readOnly: true, execute: () => 'seen' }) },
  ],
])('a thousand calls in one reply %s', async (_what, tools) => {
  const calls = Array.from({ length: 1_000 }, (_, n) => ({ tool: 'look', input: { n } }));
  const { run, model } = setup({
    replies: [{ calls }, 'done'],
    tools,
    agent: { dialect: 'native', budget: { maxToolCalls: 1_000 }, sizes: { maxReplyTokens: 40_000 }, checkLaws: false },
  });
  const outcome = await run();
  expect(outcome.stopReason).toBe(tools.look === send ? 'suspended' : 'final');
  expect(outcome.steps[0]?.calls).toHaveLength(1_000);
  if (!outcome.ok) return;
  const ids = model.requests[1]?.messages.flatMap((message) => (message.role === 'tool' ? message.toolCallId : []));
  expect(new Set(ids).size).toBe(1_000);
  for (const id of ids ?? []) expect(id).toMatch(/^[a-z0-9]{9}$/);
});
