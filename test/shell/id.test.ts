/** Runs in the dialect `id`, over changes of the tools, and plain text that is taken for the answer. */
import { describe, expect, it } from 'vitest';
import type { ToolRecord } from '../../src/core/tool.ts';
import { observationAfter, returns, setup } from './setup.ts';

const act = (id: string, input: object = {}) => `Thought: I need data.\nAction: ${id} ${JSON.stringify(input)}`;
const look = returns('seen', { readOnly: true });
const find = returns('found', { readOnly: true });
const send = returns('sent', { sideEffect: true });
const id = (replies: readonly string[], tools: ToolRecord) => setup({ replies, tools, agent: { dialect: 'id' } });

describe('the dialect id', () => {
  it('calls tools by number, and sends results between lines', async () => {
    const { run, model } = id([act('T02', { q: 1 }), act('t1'), 'Thought: ok\nAnswer: 42'], { look, find });
    const outcome = await run();
    expect(outcome).toMatchObject({ ok: true, answer: '42' });
    expect(outcome.steps.flatMap(({ calls }) => calls.map(({ tool, input }) => [tool, input]))).toEqual([
      ['find', { q: 1 }],
      ['look', {}],
    ]);
    expect(observationAfter(model, 1)).toBe('---\nfound\n---');
    expect(model.requests[0]?.messages[0]?.content).toContain('T02 find');
  });

  it.each([
    ['an id that nobody has', act('T03'), 'ERROR: There is no tool called "T03".'],
    ['a reply without a step', 'I wonder.', 'ERROR: '],
    ['an input that cannot be read', 'Thought: t\nAction: T01 {"a": "b" "c', 'Action: T'],
  ])('%s is an error between lines', async (_what, reply, words) => {
    const { run, model } = id([reply, 'Thought: ok\nAnswer: 42'], { look, find });
    expect(await run()).toMatchObject({ ok: true, answer: '42' });
    expect(observationAfter(model, 1)).toMatch(/^---\nERROR: [\s\S]*\n---$/);
    expect(observationAfter(model, 1)).toContain(words);
  });
});

/** A run of `before` that waits for a person about `send`, taken up by an agent with other tools. */
async function taken(before: ToolRecord, after: ToolRecord, replies: readonly string[]) {
  const place = Object.keys(before).indexOf('send') + 1;
  const first = id([act(`T0${place}`)], before);
  const outcome = await first.run();
  if (outcome.ok || outcome.snapshot === undefined) throw new Error('it should have been suspended');
  const second = id([...replies, 'Thought: ok\nAnswer: done'], after);
  const run = second.agent.resume(JSON.parse(JSON.stringify(outcome.snapshot)));
  const registered = [outcome.snapshot.tools, run.snapshot().tools];
  run.approve('1.1');
  return { ...second, registered, outcome: await second.clock.until(run.outcome) };
}

describe('a run in id that goes on with other tools', () => {
  it('keeps the ids of those that stay, and gives new ones to those that came', async () => {
    const after = { fresh: returns('new', { readOnly: true }), send, find };
    const { outcome, registered } = await taken({ look, find, send }, after, [act('T02'), act('T04'), act('T01')]);
    expect(registered).toEqual([
      ['look', 'find', 'send'],
      ['look', 'find', 'send', 'fresh'],
    ]);
    expect(outcome.steps.flatMap(({ calls }) => calls.map(({ tool, status }) => [tool, status]))).toEqual([
      ['send', 'succeeded'],
      ['find', 'succeeded'],
      ['fresh', 'succeeded'],
      ['look', 'refused'],
    ]);
  });

  it('tells that a removed tool is not there any more', async () => {
    const { outcome, model } = await taken({ look, send }, { send }, [act('T01')]);
    expect(outcome).toMatchObject({ ok: true, answer: 'done' });
    expect(observationAfter(model, 1)).toContain('ERROR: There is no tool called "look"');
  });
});

describe('plain text', () => {
  it.each(['labelled', 'json', 'tags', 'paper', 'id'])('is told off in %s, or is the answer', async (dialect) => {
    const replies = ['It is Paris.', 'It is Paris.', 'It is Paris.'];
    const strict = await setup({ replies, agent: { dialect } }).run();
    expect(strict).toMatchObject({ ok: false, stopReason: 'violations_exhausted' });
    const easy = await setup({ replies, agent: { dialect, plainText: 'answer' } }).run();
    expect(easy).toMatchObject({ ok: true, answer: 'It is Paris.', usage: { steps: 1 }, violations: 0 });
  });

  it('is checked like any answer, and an attempt at a step is still a violation', async () => {
    const checkAnswer = (answer: string) => answer !== 'Paris' || 'Which country?';
    const replies = ['Paris', 'Thought: hm\nAction: look\nAction Input: {"a": "b" "c"', 'Paris, France'];
    const { run, model } = setup({ replies, agent: { plainText: 'answer', checkAnswer } });
    const outcome = await run();
    expect(outcome).toMatchObject({ ok: true, answer: 'Paris, France', usage: { steps: 3, toolCalls: 0 } });
    expect(outcome.steps.map(({ violation }) => violation?.code ?? null)).toEqual([
      'answer_rejected',
      expect.any(String),
      null,
    ]);
    expect(observationAfter(model, 1)).toContain('Which country?');
  });

  it.each(['maybe', '', null, true])('%j is no value for it', (plainText) => {
    const options = { plainText };
    expect(() => setup({ replies: [], agent: options as object })).toThrow(
      expect.objectContaining({ code: 'invalid_option', message: expect.stringContaining('plainText is ') }),
    );
  });
});
