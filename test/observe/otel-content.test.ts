/** What people, models and tools wrote: nowhere by default, and in the JSON of the conventions where it was asked for. */
import { describe, expect, test } from 'vitest';
import { createAgent } from '../../src/agent.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { tool } from '../../src/tool.ts';
import { virtualClock } from '../../src/verify/virtual-clock.ts';
import { act, anyInput } from '../shell/setup.ts';
import { memorySpans, type SpanTree } from './otel-setup.ts';

const flat = (tree: SpanTree): readonly SpanTree[] => [tree, ...tree.below.flatMap(flat)];

/** A run in which each text has a word of its own. */
async function planted(options: Parameters<typeof memorySpans>[0], more: { readonly big?: number } = {}) {
  const { observer, trees } = memorySpans(options);
  const clock = virtualClock();
  const agent = createAgent({
    model: scriptedModel(
      [
        `Thought: plantedThought\nAction: look\nAction Input: {"q":"plantedInput"}`,
        `Thought: plantedSecond\nAction: fail\nAction Input: {"q":"plantedWrong"}`,
        'plantedNonsense',
        act('plantedTool'),
        { failure: { failure: 'connection', message: 'plantedFailure', retry: { afterMs: 5 } } },
        act('ask', { q: 'plantedAsked' }),
        'Thought: I know.\nFinal Answer: plantedAnswer',
      ],
      { clock },
    ),
    instructions: 'plantedInstruction',
    tools: {
      look: tool({ inputSchema: anyInput, execute: () => `plantedResult${'x'.repeat(more.big ?? 0)}` }),
      ask: tool({ inputSchema: anyInput, sideEffect: true, execute: () => 'plantedOther' }),
      fail: tool({
        inputSchema: anyInput,
        execute: () => {
          throw Object.assign(new TypeError('plantedError'), { name: 'no row for plantedName' });
        },
      }),
    },
    clock,
    budget: { maxToolErrors: 10 },
    onEvent: observer,
  });
  const run = agent.start('plantedTask');
  await clock.pass(100);
  run.deny('5.1', 'plantedWhy', { by: 'plantedPerson' });
  expect(await clock.until(run.outcome)).toMatchObject({ ok: true, answer: 'plantedAnswer' });
  return trees();
}

test('nothing of it is there by default', async () => {
  const trees = await planted({});
  expect(trees).toHaveLength(1);
  expect(JSON.stringify(trees)).not.toMatch(/planted/i);
});

test('all of it is there where it was asked for', async () => {
  const told = JSON.stringify(await planted({ captureContent: true }));
  const words = ['Task', 'Thought', 'Input', 'Second', 'Wrong', 'Nonsense', 'Tool', 'Failure', 'Asked', 'Answer'];
  for (const word of [...words, 'Instruction', 'Result', 'Error', 'Why', 'Person'])
    expect(told).toContain(`planted${word}`);
});

const json = (span: SpanTree | undefined, name: string): unknown => JSON.parse(String(span?.attributes[name]));

test('in the shape of the conventions', async () => {
  const [run, first, look, second] = (await planted({ captureContent: true })).flatMap(flat);
  const text = (content: unknown) => ({ type: 'text', content });
  expect(json(run, 'gen_ai.input.messages')).toEqual([{ role: 'user', parts: [text('plantedTask')] }]);
  const answered = [{ role: 'assistant', parts: [text('plantedAnswer')], finish_reason: 'stop' }];
  expect(json(run, 'gen_ai.output.messages')).toEqual(answered);
  expect(json(first, 'gen_ai.system_instructions')).toEqual([text(expect.stringContaining('plantedInstruction'))]);
  expect(json(first, 'gen_ai.output.messages')).toEqual([
    { role: 'assistant', parts: [text(expect.stringContaining('plantedThought'))], finish_reason: 'stop' },
  ]);
  expect(json(look, 'gen_ai.tool.call.arguments')).toEqual({ q: 'plantedInput' });
  expect(json(look, 'gen_ai.tool.call.result')).toBe('plantedResult');
  expect(json(second, 'gen_ai.input.messages')).toEqual([
    { role: 'user', parts: [text('plantedTask')] },
    { role: 'assistant', parts: [text(expect.stringContaining('plantedThought'))] },
    { role: 'user', parts: [text('Observation: plantedResult')] },
  ]);
});

test("calls in the provider's own form are parts of their own", async () => {
  const { observer, trees } = memorySpans({ captureContent: true });
  const clock = virtualClock();
  const agent = createAgent({
    model: scriptedModel([{ text: 'I look.', calls: [{ tool: 'look', input: { n: 1 } }] }, { text: 'It is high.' }], {
      clock,
    }),
    dialect: 'native',
    tools: { look: tool({ inputSchema: anyInput, execute: () => 'high' }) },
    clock,
    onEvent: observer,
  });
  expect(await clock.until(agent.run('the task'))).toMatchObject({ ok: true });
  const [, first, , second] = trees().flatMap(flat);
  const made = { type: 'tool_call', id: expect.any(String), name: 'look', arguments: { n: 1 } };
  const said = { type: 'text', content: 'I look.' };
  expect(json(first, 'gen_ai.output.messages')).toEqual([
    { role: 'assistant', parts: [said, made], finish_reason: 'stop' },
  ]);
  expect(json(second, 'gen_ai.input.messages')).toEqual([
    { role: 'user', parts: [{ type: 'text', content: 'the task' }] },
    { role: 'assistant', parts: [said, made] },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: expect.any(String), response: 'high' }] },
  ]);
});

describe('the size of one attribute', () => {
  test.each([1_000, 2_000, 3_000, 65_536])('is at most %i, and it is JSON whatever was cut', async (most) => {
    const spans = (await planted({ captureContent: true, maxContentLength: most }, { big: 3_000 })).flatMap(flat);
    const contents = spans.flatMap(({ attributes }) =>
      Object.entries(attributes).filter(([name]) => /messages|instructions|arguments|result$/.test(name)),
    );
    expect(contents.length).toBeGreaterThan(10);
    for (const [, content] of contents) {
      expect(String(content).length).toBeLessThanOrEqual(most);
      expect(() => JSON.parse(String(content))).not.toThrow();
    }
    const cut = spans.filter(({ attributes }) => attributes['fuseloop.content.cut'] === true);
    expect(cut.length > 0).toBe(most < 65_536);
  });

  test('of a prompt the last messages are kept', async () => {
    const spans = (await planted({ captureContent: true, maxContentLength: 1_000 })).flatMap(flat);
    const last = spans.findLast(({ name }) => name.startsWith('chat'));
    expect(JSON.stringify(json(last, 'gen_ai.input.messages'))).toContain('plantedWhy');
    expect(JSON.stringify(json(last, 'gen_ai.input.messages'))).not.toContain('plantedTask');
  });

  test.each(['\ud83d\ude42', '"', '\u0000', '\\'])('of nothing but %j', async (character) => {
    const { observer, trees } = memorySpans({ captureContent: true, maxContentLength: 1_000 });
    const clock = virtualClock();
    const model = scriptedModel([`Thought: x\nFinal Answer: ${character.repeat(4_001)}`], { clock });
    await clock.until(createAgent({ model, clock, onEvent: observer }).run(`a${character.repeat(4_001)}`));
    for (const span of trees().flatMap(flat))
      for (const name of ['gen_ai.input.messages', 'gen_ai.output.messages']) {
        const content = String(span.attributes[name]);
        expect(content.length).toBeLessThanOrEqual(1_000);
        expect(content).not.toMatch(/\\ud8/);
        expect(JSON.parse(content)).toHaveLength(1);
      }
  });
});
