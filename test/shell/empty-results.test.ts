/** Results that hold nothing: the third in a row brings advice, and a limit on them ends the run. */
import { expect, it } from 'vitest';
import { createAgent } from '../../src/agent.ts';
import type { JsonValue } from '../../src/core/json.ts';
import type { ToolRecord } from '../../src/core/tool.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { tool } from '../../src/tool.ts';
import { act, answer, anyInput, observationAfter, returns, setup } from './setup.ts';

const tools: ToolRecord = {
  search: tool({
    inputSchema: anyInput,
    readOnly: true,
    execute: (input: { finds?: unknown }) => input.finds,
    empty: (found) => found === 'no rows',
  }),
  fail: tool({
    inputSchema: anyInput,
    readOnly: true,
    execute: () => {
      throw new Error('the disk is full');
    },
  }),
};
const finds = (...all: readonly unknown[]) => all.map((found, n) => act('search', { finds: found, n }));

it.each<[string, readonly string[], readonly number[]]>([
  ['nothing at all, an empty list, and blanks', finds(null, [], ' '), [3]],
  ["a tool's own mark, and an empty object", finds('no rows', {}, 'no rows', {}), [3, 4]],
  ['something in between begins anew', finds([], [], 'found', [], [], []), [6]],
  ['a failure in between does not', [...finds([], []), act('fail'), ...finds([])], [4]],
  ['a reply without a step in between does not', [...finds([], []), 'Thought: hm', ...finds([])], [4]],
  ['something', finds('a', 'b', 'c', 'd'), []],
])('advice with the third in a row: %s', async (_what, replies, advised) => {
  const { run, model } = setup({ replies: [...replies, answer('none')], tools, agent: { loopGuard: 'off' } });
  expect((await run()).stopReason).toBe('final');
  const told = replies.map((_, at) => observationAfter(model, at + 1));
  const found = told.flatMap((text, at) => (text.includes('Change the approach') ? [at + 1] : []));
  expect(found).toEqual(advised);
});

it('the advice says how many, in the language of the run', async () => {
  const { run, model } = setup({
    replies: [...finds([], [], []), 'Thought: 好\nFinal Answer: 没有'],
    tools,
    agent: { language: 'zh', loopGuard: 'off' },
  });
  await run();
  expect(observationAfter(model, 3)).toContain('[LoopGuard] 最近 3 次结果都没有内容。');
});

it.each([
  ['the limit ends the run', 2, finds([], []), 'no_progress', 2],
  ['something in between', 2, [...finds([], 'a', []), answer('a')], 'final', 4],
  ['one is enough where the limit says so', 1, finds([]), 'no_progress', 1],
  ['without a limit it goes on', undefined, [...finds([], [], [], []), answer('none')], 'final', 5],
])('%s', async (_what, maxEmptyResults, replies, reason, modelCalls) => {
  const { run, model } = setup({
    replies,
    tools,
    agent: { loopGuard: 'off', ...(maxEmptyResults === undefined ? {} : { maxEmptyResults }) },
  });
  const outcome = await run();
  expect(outcome.stopReason).toBe(reason);
  expect(model.requests).toHaveLength(modelCalls);
});

it('several of one reply count, in the order of the calls', async () => {
  const call = (found: JsonValue, n: number) => ({ tool: 'search', input: { finds: found, n } });
  const { run } = setup({
    replies: [{ calls: [call('a', 1), call([], 2), call([], 3)] }],
    tools,
    agent: { dialect: 'native', maxEmptyResults: 2 },
  });
  const outcome = await run();
  expect(outcome.stopReason).toBe('no_progress');
  expect(outcome.steps[0]?.calls.map(({ empty }) => empty)).toEqual([false, true, true]);
});

it('an empty result of a tool that ends the run is an answer, not a stop', async () => {
  const { run } = setup({
    replies: [act('close')],
    tools: { close: returns('', { endsRun: true }) },
    agent: { maxEmptyResults: 1 },
  });
  expect((await run()).stopReason).toBe('final');
});

it('the count goes on after a resume', async () => {
  const save = returns('', { sideEffect: true });
  const { agent, run, clock } = setup({
    replies: [...finds([]), act('save')],
    tools: { ...tools, save },
    agent: { maxEmptyResults: 2 },
  });
  const suspended = await run();
  if (suspended.ok || suspended.snapshot === undefined) return expect.unreachable(suspended.stopReason);
  const resumed = agent.resume(JSON.parse(JSON.stringify(suspended.snapshot)));
  resumed.approve('2.1');
  expect((await clock.until(resumed.outcome)).stopReason).toBe('no_progress');
});

it.each([0, 1.5, -1, '2'])('maxEmptyResults: %j is refused', (maxEmptyResults) => {
  const options = { model: scriptedModel([]), maxEmptyResults };
  expect(() => Reflect.apply(createAgent, undefined, [options])).toThrow('maxEmptyResults is ');
});
