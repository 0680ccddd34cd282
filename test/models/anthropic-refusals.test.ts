/** What a model refuses by name is left out, and remembered; all else is a refusal. */
import { describe, expect, test } from 'vitest';
import type { AnthropicOptions } from '../../src/models/anthropic.ts';
import type { AnthropicAnswer } from '../support/anthropic-server.ts';
import type { RequestBody } from '../support/model-server.ts';
import { serve } from './anthropic-setup.ts';
import { collect, lastOf, requestOf, textOf } from './asking.ts';

const refusal = (message: string, status = 400): AnthropicAnswer => ({
  status,
  body: JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }),
});

const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Why?' },
  { role: 'assistant', content: 'Because.' },
  { role: 'user', content: 'So?' },
] as const;
const request = (step = 1) => requestOf({ messages, maxOutputTokens: 9_000, step });

const has = (name: string) => (body: RequestBody) => JSON.stringify(body).includes(`"${name}":`);
const budget = { thinking: { budgetTokens: 2_000 } };
const adaptive = { thinking: { adaptive: true, effort: 'low' } } as const;

/** How models refuse a parameter. */
const rows: readonly (readonly [string, string, Partial<AnthropicOptions>])[] = [
  ['temperature', '`temperature` is deprecated for this model.', {}],
  ['temperature', 'temperature: Extra inputs are not permitted', {}],
  ['temperature', '`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.', {}],
  ['stop_sequences', 'stop_sequences: Extra inputs are not permitted', {}],
  ['stop_sequences', 'This model does not support the parameter stop_sequences.', {}],
  ['thinking', 'thinking: Extra inputs are not permitted', budget],
  ['thinking', 'thinking.enabled.budget_tokens: Input should be less than 1', budget],
  ['thinking', 'adaptive thinking is not supported on this model', adaptive],
  ['output_config', 'This model does not support the effort parameter.', adaptive],
  ['output_config', 'output_config.effort: Input should be "high"', adaptive],
  ['cache_control', 'system.0.cache_control: Extra inputs are not permitted', {}],
  ['cache_control', 'messages.1.content.0.cache_control: Extra inputs are not permitted', {}],
  ['cache_control', '***.cache_control: Extra inputs are not permitted', {}],
];

test.each(rows)('%s: %s', async (name, message, options) => {
  const refuse = (body: RequestBody) => (has(name)(body) ? refusal(message) : {});
  const { model, server } = await serve(refuse, options);
  for (const step of [1, 2]) expect(textOf(await collect(model.generate(request(step))))).toBe('Hi');
  // Refused once, sent again once, and then remembered.
  expect(server.requests.map(({ body }) => has(name)(body))).toEqual([true, false, false]);
  expect(server.sockets.made).toBe(1);
});

const noBudget =
  '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';
const noMore = 'max_tokens: 9000 > 8192, which is the maximum allowed number of output tokens for claude-test';

describe('what is changed instead of left out', () => {
  test('a budget becomes adaptive thinking', async () => {
    const refuse = (body: RequestBody) => (has('budget_tokens')(body) ? refusal(noBudget) : {});
    const { model, server } = await serve(refuse, budget);
    for (const step of [1, 2]) expect(textOf(await collect(model.generate(request(step))))).toBe('Hi');
    const enabled = { type: 'enabled', budget_tokens: 2_000 };
    expect(server.requests.map(({ body }) => body.thinking)).toEqual([
      enabled,
      { type: 'adaptive' },
      { type: 'adaptive' },
    ]);
  });

  test('max_tokens becomes what the model allows', async () => {
    const refuse = (body: RequestBody) => (Number(body.max_tokens) > 8_192 ? refusal(noMore) : {});
    const { model, server } = await serve(refuse);
    for (const step of [1, 2]) expect(textOf(await collect(model.generate(request(step))))).toBe('Hi');
    expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([9_000, 8_192, 8_192]);
  });
});

test.each([
  ['temperature', '`temperature` is deprecated for this model.'],
  ['budget_tokens', noBudget],
  ['"max_tokens":9000', noMore],
])('two requests at once, both refused %s, both go on', async (part, message) => {
  const refuse = (body: RequestBody) => (JSON.stringify(body).includes(part) ? refusal(message) : {});
  const { model } = await serve(refuse, part === 'temperature' ? {} : budget);
  const both = await Promise.all([1, 2].map((step) => collect(model.generate(request(step)))));
  expect(both.map((events) => textOf(events))).toEqual(['Hi', 'Hi']);
});

test('a server that refuses everything is asked once for each thing', async () => {
  const names = ['budget_tokens', 'thinking', 'temperature', 'stop_sequences', 'cache_control', 'max_tokens'];
  const { model, server } = await serve((body) => {
    const name = names.find((name) => has(name)(body));
    if (name === 'budget_tokens') return refusal(noBudget);
    const limit = `max_tokens: ${body.max_tokens} > ${Number(body.max_tokens) - 1}`;
    return refusal(name === 'max_tokens' ? limit : `${name}: Extra inputs are not permitted`);
  }, budget);
  expect(lastOf(await collect(model.generate(request())))).toMatchObject({ type: 'failed', failure: 'refused' });
  expect(server.requests).toHaveLength(7);
});

test.each([
  ['a value of another member', 'messages.1.content: Input should be a valid list, such as temperature', 400],
  ['the form of the conversation', 'messages.2: `tool_use` ids were found without `tool_result` blocks', 400],
  ['thinking that is missing', 'messages.1.content.0.type: Expected `thinking`, but found `text`', 400],
  ['a name in passing', 'The prompt is too long for temperature and thinking.', 400],
  ['a limit that is none', 'max_tokens: 9000 > 9000', 400],
  ['another status', 'temperature: Extra inputs are not permitted', 500],
  ['a tool', 'tools.0.custom.temperature: Extra inputs are not permitted', 400],
])('not a refusal of a parameter: %s', async (_, message, status) => {
  const { model, server } = await serve(refusal(message, status), budget);
  expect(lastOf(await collect(model.generate(request())))).toMatchObject({ type: 'failed', failure: 'refused' });
  expect(server.requests).toHaveLength(1);
});
