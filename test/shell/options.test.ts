/** What createAgent, run and tool refuse: by name, with what is allowed. Nothing runs before that. */
import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';
import { createAgent } from '../../src/agent.ts';
import type { AgentOptions } from '../../src/agent-options.ts';
import { AgentError } from '../../src/core/errors.ts';
import { defaults } from '../../src/core/limits.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { anyInput, returns } from './setup.ts';

const model = scriptedModel([]);
/** What a caller without types might pass. */
const agentOf = (options: { readonly [key: string]: unknown }) => createAgent({ model, ...options } as AgentOptions);

describe.each(Object.keys(defaults.budget))('budget.%s', (key) => {
  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], [-1], [2.5], ['12'], [null], [2 ** 60], [{}]])(
    'refuses %j',
    (value) => {
      expect(() => agentOf({ budget: { [key]: value } })).toThrow(
        expect.objectContaining({
          code: 'invalid_option',
          message: expect.stringContaining(`budget.${key}`),
          hint: expect.stringContaining('a whole number from 0 to 2^50'),
        }),
      );
    },
  );
  it.each([[0], [1], [2 ** 50], [undefined]])('takes %j', (value) => {
    expect(() => agentOf({ budget: { [key]: value } })).not.toThrow();
  });
});

it.each([
  ['model', { model: undefined }, 'model is not a model'],
  ['a model without generate', { model: { name: 'x', provider: 'y' } }, 'model is not a model'],
  ['an option that does not exist', { maxSteps: 3 }, 'maxSteps is not an option of createAgent'],
  ['a budget that does not exist', { budget: { steps: 3 } }, 'budget.steps is not a limit'],
  ['a budget that is no object', { budget: 12 }, 'budget is 12'],
  ['a time', { timeouts: { toolMs: Number.NaN } }, 'timeouts.toolMs is NaN'],
  ['a size', { sizes: { maxReplyTokens: -1 } }, 'sizes.maxReplyTokens is -1'],
  ['a loop guard that would end at once', { loopGuard: { endAt: 1 } }, 'loopGuard'],
  ['a dialect', { dialect: 'klingon' }, 'no dialect "klingon"'],
  ['a language', { language: 'fr' }, 'language is "fr"'],
  ['a temperature', { temperature: 3 }, 'temperature is 3'],
  ['instructions', { instructions: 1 }, 'instructions is 1'],
  ['redact', { redact: [1] }, 'redact is not a list'],
  ['tools', { tools: [] }, 'tools is not a record'],
  ['a tool that is no object', { tools: { a: 1 } }, 'The tool "a" is not an object'],
  ['a tool without execute', { tools: { a: { inputSchema: anyInput } } }, 'The tool "a" has no execute function'],
  ['a tool without a schema', { tools: { a: { execute: () => 1 } } }, 'tools.a.inputSchema is not a schema'],
  [
    'a tool with two marks',
    { tools: { a: returns(1, { readOnly: true, sideEffect: true }) } },
    'is marked readOnly and sideEffect',
  ],
  ['a tool with a bad time', { tools: { a: returns(1, { timeoutMs: -1 }) } }, 'tools.a.timeoutMs is -1'],
  ['a tool whose name is two lines', { tools: { 'a\nb': returns(1) } }, 'a name that no model could write'],
])('refuses %s', (_what, options, message) => {
  expect(() => agentOf(options)).toThrow(
    expect.objectContaining({ code: 'invalid_option', message: expect.stringContaining(message) }),
  );
});

it.each([
  ['an empty task', '  ', {}, 'task is empty'],
  ['an option that does not exist', 'x', { maxSteps: 1 }, 'maxSteps is not an option of run'],
  ['to be attended, which nobody could', 'x', { attended: true }, 'attended is not an option of run'],
  ['not to be attended, which it never is', 'x', { attended: false }, 'attended is not an option of run'],
  ['a budget', 'x', { budget: { maxSteps: 0.5 } }, 'budget.maxSteps is 0.5'],
  ['a signal', 'x', { signal: {} }, 'signal is not an AbortSignal'],
  [
    'messages whose roles do not alternate',
    'x',
    { messages: [{ role: 'user', content: 'a' }] },
    'messages is not a conversation',
  ],
])('run rejects %s', async (_what, task, options, message) => {
  const rejection = agentOf({}).run(task, options as Parameters<ReturnType<typeof agentOf>['run']>[1]);
  await expect(rejection).rejects.toBeInstanceOf(AgentError);
  await expect(rejection).rejects.toMatchObject({ message: expect.stringContaining(message) });
});

it('the logic of an agent refuses to be attended: nobody holds its run', () => {
  const input = { task: 'x', attended: true };
  const actor = createActor(agentOf({}).logic, { input });
  const thrown: unknown[] = [];
  actor.subscribe({ error: (error) => thrown.push(error) });
  actor.start();
  expect(thrown).toEqual([expect.objectContaining({ hint: expect.stringContaining('agent.start') })]);
});

it('takes a tool called constructor, and one called __proto__', () => {
  expect(() =>
    agentOf({
      tools: Object.fromEntries([
        ['constructor', returns(1)],
        ['__proto__', returns(2)],
      ]),
    }),
  ).not.toThrow();
});
