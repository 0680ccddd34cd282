/** Snapshots of runs whose conversation holds the provider's own calls: they go on, and a damaged one is refused. */
import { describe, expect, it } from 'vitest';
import type { AgentError } from '../../src/core/errors.ts';
import type { ScriptedReply } from '../../src/models/scripted.ts';
import { returns, setup } from './setup.ts';

const tools = { look: returns('seen', { readOnly: true }), send: returns('sent', { sideEffect: true }) };
const calls = (...names: readonly string[]): ScriptedReply => ({
  text: 'On it.',
  calls: names.map((tool, n) => ({ tool, input: { n } })),
});

/** A run that waits for a person in its third step. */
async function suspended() {
  const replies = [calls('look', 'look'), calls('look'), calls('look', 'send'), 'done'];
  const made = setup({ replies, tools, agent: { dialect: 'native', loopGuard: 'off' } });
  const outcome = await made.run();
  if (outcome.ok || outcome.snapshot === undefined) throw new Error('it should have been suspended');
  return { ...made, snapshot: JSON.parse(JSON.stringify(outcome.snapshot)) };
}

it('goes on behind several steps with calls, and sends the same conversation', async () => {
  const { agent, snapshot, clock, model } = await suspended();
  const run = agent.resume(snapshot);
  run.approve('3.2');
  expect(await clock.until(run.outcome)).toMatchObject({ ok: true, answer: 'done', usage: { steps: 4, toolCalls: 5 } });
  const [before, after] = model.requests.slice(-2);
  expect(after?.messages.slice(0, before?.messages.length)).toEqual(before?.messages);
  expect(after?.messages.map(({ role }) => role).join(' ')).toBe(
    'system user assistant tool tool assistant tool assistant tool tool',
  );
  expect(after?.tools).toEqual(before?.tools);
});

it('goes on only in a dialect that has such calls', async () => {
  const { model, clock, snapshot } = await suspended();
  const { agent } = setup({ replies: [], tools, agent: { model, clock, dialect: 'json' } });
  expect(() => agent.resume(snapshot)).toThrow(
    'dialect is "json", and the conversation of the snapshot holds the provider\'s own calls.',
  );
});

it('is itself the same after a second rest', async () => {
  const { agent, snapshot } = await suspended();
  const { history, tools: registered, ...rest } = agent.resume(snapshot).snapshot();
  expect({ history, registered, state: rest.state }).toEqual({
    history: snapshot.history,
    registered: snapshot.tools,
    state: snapshot.state,
  });
});

/** The messages of the snapshot: system, user, assistant, tool, tool, assistant, tool. */
type Messages = Record<string, unknown>[];
const callsOf = (messages: Messages, at: number): Messages => {
  const found: unknown = messages[at]?.calls;
  if (!Array.isArray(found)) throw new Error(`The message ${at} has no calls.`);
  return found;
};
const set = (at: number, name: string, value: unknown) => (messages: Messages) =>
  void Object.assign(messages[at] ?? {}, { [name]: value });
const setCall = (name: string, value: unknown) => (messages: Messages) =>
  void Object.assign(callsOf(messages, 2)[1] ?? {}, { [name]: value });

describe('a damaged one is refused, and says where', () => {
  it.each<[string, (messages: Messages) => void, string]>([
    ['calls that are no list', set(2, 'calls', 'look'), 'history.messages[2].calls is "look"; it is a list'],
    ['calls of the user', set(1, 'calls', []), 'history.messages[1].calls is not known'],
    ['a call without id', setCall('toolCallId', ''), 'history.messages[2].calls[1].toolCallId is ""; it is a text'],
    ['a call without tool', setCall('tool', null), 'history.messages[2].calls[1].tool is null; it is a text'],
    ['a call with more', setCall('extra', 1), 'history.messages[2].calls[1].extra is not known'],
    [
      'an input that is no JSON',
      setCall('input', undefined),
      'history.messages[2].calls[1].input is missing; it is JSON',
    ],
    ['a result without id', set(3, 'toolCallId', undefined), 'history.messages[3].toolCallId is missing; it is a text'],
    ['a result that is an object', set(3, 'content', {}), 'history.messages[3].content is an object; it is a text'],
    [
      'a result of another call',
      set(4, 'toolCallId', 'c9'),
      'has the calls c00001001, c00001002 and behind them the results of c00001001, c9',
    ],
    [
      'results that changed places',
      (messages) => messages.splice(3, 2, ...messages.slice(3, 5).reverse()),
      'behind them the results of c00001002, c00001001',
    ],
    ['a result that is lost', (messages) => messages.splice(4, 1), 'behind them the results of c00001001'],
    ['all results lost', (messages) => messages.splice(3, 2), 'is not a conversation'],
    ['the calls lost', set(2, 'calls', []), 'has the calls none and behind them the results of c00001001, c00001002'],
    ['two calls of one id', setCall('toolCallId', 'c00001001'), 'has two calls of the id c00001001'],
    [
      'an id that comes again',
      (messages) => {
        set(6, 'toolCallId', 'c00001001')(messages);
        Object.assign(callsOf(messages, 5)[0] ?? {}, { toolCallId: 'c00001001' });
      },
      'has two calls of the id c00001001',
    ],
    ['a result for an answer', set(5, 'role', 'tool'), 'history.messages[5].'],
    ['results first', (messages) => messages.splice(1, 2), 'is not a conversation'],
    [
      'a word of the user between',
      (messages) => messages.splice(4, 0, { role: 'user', content: 'x' }),
      'is not a conversation',
    ],
  ])('%s', async (_what, damage, problem) => {
    const { agent, snapshot } = await suspended();
    damage(snapshot.history.messages);
    const thrown = refusalOf(() => agent.resume(snapshot));
    expect(thrown?.code).toBe('invalid_snapshot');
    expect(thrown?.message).toContain(problem);
  });
});

function refusalOf(work: () => unknown): AgentError | undefined {
  try {
    work();
  } catch (thrown) {
    return thrown as AgentError;
  }
  return undefined;
}

it('messages of a run are plain turns: calls in them are refused', async () => {
  const { agent } = setup({ replies: [], agent: { dialect: 'native' } });
  const messages = [
    { role: 'user', content: 'a' },
    { role: 'assistant', content: 'b', calls: [{ toolCallId: 'x', tool: 'look', input: {} }] },
  ] as const;
  await expect(agent.run('x', { messages })).rejects.toThrow('messages is not a conversation');
});
