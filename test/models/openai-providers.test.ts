/**
 * Replies and refusals in the shapes that providers document, in words of our own; each is read to the same. They were not
 * recorded from these providers.
 * Sources: https://platform.openai.com/docs/api-reference/chat, https://api-docs.deepseek.com/api/create-chat-completion,
 * https://www.alibabacloud.com/help/en/model-studio/use-qwen-by-calling-api, https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html,
 * https://github.com/ggml-org/llama.cpp/tree/master/tools/server, https://docs.ollama.com/api/openai-compatibility,
 * https://openrouter.ai/docs/api-reference/overview, https://learn.microsoft.com/azure/ai-services/openai/reference
 */
import { describe, expect, test } from 'vitest';
import { callsOf, collect, lastOf, requestOf, textOf } from './asking.ts';
import { serve, sse } from './openai-setup.ts';

/** What all of them say: reasoning where they have it, text, one call, and usage. */
const said = { text: 'I look.', calls: [{ tool: 'search', input: '{"q":"tide"}' }] };
const end = { type: 'end', finish: 'stop', usage: { inputTokens: 12, outputTokens: 5 } };

const usage = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 };
const details = { prompt_tokens_details: { cached_tokens: 8 }, completion_tokens_details: { reasoning_tokens: 2 } };
const hit = { prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 4 };
const fn = (name: string | undefined, input: string) => ({ type: 'function', function: { name, arguments: input } });
const whole = { id: 'call_1', ...fn('search', '{"q":"tide"}') };
const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  ...more,
});
const whole200 = (message: object, more: object = {}) => ({
  id: 'c1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, logprobs: null, finish_reason: 'tool_calls' }],
  usage,
  ...more,
});
const pieces = [
  chunk({ tool_calls: [{ index: 0, id: 'call_1', ...fn('search', '') }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '{"q":' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '"tide"}' } }] }),
];
const text = [chunk({ content: 'I ' }), chunk({ content: 'look.' })];
const usageAlone = chunk({}, null, { choices: [], usage });

interface Provider {
  /** Of the input, what it says to have read from its cache. */
  readonly cached?: number;
  readonly reasoning: string;
  readonly stream: readonly (object | string)[];
  readonly document: object;
}

const providers: Readonly<Record<string, Provider>> = {
  OpenAI: {
    cached: 8,
    reasoning: '',
    stream: [
      chunk({ role: 'assistant', content: '', refusal: null }, null, { usage: null, obfuscation: 'x' }),
      ...text,
      ...pieces,
      chunk({}, 'tool_calls', { usage: null }),
      { ...usageAlone, usage: { ...usage, ...details } },
      '[DONE]',
    ],
    document: whole200(
      { content: 'I look.', refusal: null, annotations: [], tool_calls: [whole] },
      { usage: { ...usage, ...details }, service_tier: 'default' },
    ),
  },
  DeepSeek: {
    cached: 8,
    reasoning: 'Let me see.',
    stream: [
      chunk({ role: 'assistant', content: null, reasoning_content: '' }),
      chunk({ content: null, reasoning_content: 'Let me ' }),
      chunk({ content: null, reasoning_content: 'see.' }),
      ...text.map((piece) => ({ ...piece, usage: null })),
      ...pieces,
      chunk({ content: '', reasoning_content: null }, 'tool_calls', {
        usage: { ...usage, ...hit },
      }),
      '[DONE]',
    ],
    document: whole200(
      { content: 'I look.', reasoning_content: 'Let me see.', tool_calls: [{ index: 0, ...whole }] },
      { usage: { ...usage, ...hit } },
    ),
  },
  'Qwen (DashScope)': {
    reasoning: 'Let me see.',
    stream: [
      chunk({ role: 'assistant', content: null, reasoning_content: 'Let me see.' }),
      ...text.map((piece) => ({ ...piece, usage: null, system_fingerprint: null })),
      ...pieces.map((piece, place) => (place === 0 ? piece : { ...piece, usage: null })),
      chunk({ content: '', tool_calls: null }, 'tool_calls'),
      usageAlone,
      '[DONE]',
    ],
    document: whole200({ content: 'I look.', reasoning_content: 'Let me see.', tool_calls: [{ ...whole, index: 0 }] }),
  },
  vLLM: {
    reasoning: 'Let me see.',
    stream: [
      chunk({ role: 'assistant', content: '' }),
      chunk({ reasoning: 'Let me see.' }),
      ...text,
      chunk({ tool_calls: [{ index: 0, id: 'chatcmpl-tool-1', ...fn('search', '') }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"q":"tide"}' } }] }),
      chunk({ content: '' }, 'tool_calls', { stop_reason: null }),
      usageAlone,
      '[DONE]',
    ],
    document: whole200(
      { content: 'I look.', reasoning: 'Let me see.', tool_calls: [whole] },
      { prompt_logprobs: null },
    ),
  },
  'llama.cpp': {
    reasoning: 'Let me see.',
    stream: [
      chunk({ role: 'assistant', content: null }),
      chunk({ reasoning_content: 'Let me see.' }),
      ...text,
      ...pieces,
      chunk({}, 'tool_calls', { timings: { prompt_n: 12, predicted_n: 5 } }),
      usageAlone,
      '[DONE]',
    ],
    document: whole200({ content: 'I look.', reasoning_content: 'Let me see.', tool_calls: [whole] }, { timings: {} }),
  },
  Ollama: {
    reasoning: 'Let me see.',
    stream: [
      chunk({ role: 'assistant', content: '', reasoning: 'Let me see.' }, null, { system_fingerprint: 'fp_ollama' }),
      ...text.map((piece) => piece),
      chunk({ role: 'assistant', content: '', tool_calls: [{ index: 0, ...whole }] }),
      chunk({ role: 'assistant', content: '' }, 'tool_calls'),
      usageAlone,
      '[DONE]',
    ],
    document: whole200({ content: 'I look.', reasoning: 'Let me see.', tool_calls: [{ index: 0, ...whole }] }),
  },
  OpenRouter: {
    reasoning: 'Let me see.',
    stream: [
      ': OPENROUTER PROCESSING',
      chunk({
        role: 'assistant',
        content: '',
        reasoning: 'Let me ',
        reasoning_details: [{ type: 'reasoning.text', text: 'Let me ', index: 0 }],
      }),
      chunk({
        role: 'assistant',
        content: '',
        reasoning: 'see.',
        reasoning_details: [{ type: 'reasoning.text', text: 'see.', index: 0 }],
      }),
      ...text,
      ...pieces,
      chunk({ role: 'assistant', content: '' }, 'tool_calls', {
        provider: 'P',
        choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls', native_finish_reason: 'tool_use' }],
      }),
      { ...usageAlone, usage: { ...usage, cost: 0.1 } },
      '[DONE]',
    ],
    document: whole200(
      { content: 'I look.', reasoning: 'Let me see.', tool_calls: [{ index: 0, ...whole }] },
      { provider: 'P' },
    ),
  },
  Azure: {
    reasoning: '',
    stream: [
      { choices: [], created: 0, id: '', model: '', object: '', prompt_filter_results: [{ prompt_index: 0 }] },
      ...text.map((piece) => ({ ...piece, choices: [{ ...piece.choices[0], content_filter_results: {} }] })),
      ...pieces,
      chunk({}, 'tool_calls'),
      usageAlone,
      '[DONE]',
    ],
    document: whole200({ content: 'I look.', tool_calls: [whole] }, { prompt_filter_results: [] }),
  },
};

describe.each(Object.entries(providers))('%s', (_name, { cached, reasoning, stream, document }) => {
  const ended = { ...end, usage: { ...end.usage, ...(cached === undefined ? {} : { cachedInputTokens: cached }) } };

  const body = stream.map((item) => (item === ': OPENROUTER PROCESSING' ? `${item}\n\n` : sse(item))).join('');

  test.each([1, 2, 3])('a stream, cut by seed %i', async (seed) => {
    const { model } = await serve({ body }, { seed });
    const events = await collect(model.generate(requestOf()));
    expect([textOf(events, 'reasoning'), textOf(events), callsOf(events)]).toEqual([reasoning, said.text, said.calls]);
    const last = lastOf(events);
    expect({ ...last, providerData: undefined }).toEqual(ended);
  });

  test('in one piece', async () => {
    const { model } = await serve({ body: JSON.stringify(document) }, { stream: false });
    const events = await collect(model.generate(requestOf()));
    expect([textOf(events, 'reasoning'), textOf(events), callsOf(events)]).toEqual([reasoning, said.text, said.calls]);
    const last = lastOf(events);
    expect({ ...last, providerData: undefined }).toEqual(ended);
  });

  test('what it wants back goes back with the calls, to it alone', async () => {
    const { model, server } = await serve({ body });
    const last = lastOf(await collect(model.generate(requestOf())));
    const providerData = last?.type === 'end' ? last.providerData : undefined;
    const calls = [{ toolCallId: 'c00001001', tool: 'search', input: { q: 'tide' } }];
    const messages = [
      { role: 'user', content: 'x' } as const,
      { role: 'assistant', content: 'I look.', calls, ...(providerData !== undefined && { providerData }) } as const,
      { role: 'tool', content: 'high', toolCallId: 'c00001001' } as const,
    ];
    await collect(model.generate(requestOf({ messages })));
    const back = {
      ...(JSON.stringify(stream).includes('reasoning_content') && { reasoning_content: reasoning }),
      ...(JSON.stringify(stream).includes('reasoning_details') && {
        reasoning_details: [{ type: 'reasoning.text', text: reasoning, index: 0 }],
      }),
    };
    const tool_calls = [{ ...whole, id: 'c00001001' }];
    expect(server.requests[1]?.body.messages).toEqual([
      { role: 'user', content: 'x' },
      { role: 'assistant', content: 'I look.', ...back, tool_calls },
      { role: 'tool', content: 'high', tool_call_id: 'c00001001' },
    ]);
    expect(providerData === undefined).toBe(Object.keys(back).length === 0);
    const others = [await serve({ text: 'Hi' }), await serve({ text: 'Hi' }, { model: 'another' })];
    for (const other of others) {
      await collect(other.model.generate(requestOf({ messages })));
      expect(JSON.stringify(other.server.requests[0]?.body)).not.toContain('reasoning');
    }
  });
});

const refusals: readonly (readonly [string, number, string, RegExp, boolean])[] = [
  [
    'OpenAI',
    401,
    '{"error":{"message":"Wrong key.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}',
    /Wrong key/,
    false,
  ],
  [
    'OpenAI',
    429,
    '{"error":{"message":"Too fast.","type":"requests","param":null,"code":"rate_limit_exceeded"}}',
    /Too fast/,
    true,
  ],
  [
    'OpenAI',
    429,
    '{"error":{"message":"Pay.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}',
    /Pay/,
    false,
  ],
  [
    'DeepSeek',
    402,
    '{"error":{"message":"No money.","type":"unknown_error","param":null,"code":"invalid_request_error"}}',
    /No money/,
    false,
  ],
  ['DeepSeek', 503, '{"error":{"message":"Too busy.","type":"service_unavailable_error"}}', /Too busy/, true],
  [
    'Qwen (DashScope)',
    400,
    '{"error":{"code":"invalid_parameter_error","param":null,"message":"Bad range.","type":"invalid_request_error"},"request_id":"r"}',
    /Bad range/,
    false,
  ],
  [
    'Qwen (DashScope)',
    429,
    '{"error":{"code":"limit_requests","message":"Too many.","type":"limit_requests"}}',
    /Too many/,
    true,
  ],
  [
    'Qwen (DashScope)',
    400,
    '{"error":{"code":"Arrearage","message":"In arrears.","type":"Arrearage"}}',
    /In arrears/,
    false,
  ],
  [
    'vLLM',
    400,
    '{"object":"error","message":"Too long.","type":"BadRequestError","param":null,"code":400}',
    /Too long/,
    false,
  ],
  [
    'vLLM',
    404,
    '{"error":{"message":"No such model.","type":"NotFoundError","param":"model","code":404}}',
    /No such model/,
    false,
  ],
  ['llama.cpp', 503, '{"error":{"code":503,"message":"Loading.","type":"unavailable_error"}}', /Loading/, true],
  [
    'llama.cpp',
    400,
    '{"error":{"code":400,"message":"Exceeds.","type":"exceed_context_size_error","n_prompt_tokens":9}}',
    /Exceeds/,
    false,
  ],
  [
    'Ollama',
    404,
    '{"error":{"message":"Not pulled.","type":"not_found_error","param":null,"code":null}}',
    /Not pulled/,
    false,
  ],
  ['Ollama', 500, '{"error":"It stopped."}', /It stopped/, true],
  ['OpenRouter', 402, '{"error":{"code":402,"message":"Add credits."},"user_id":"u"}', /Add credits/, false],
  [
    'OpenRouter',
    502,
    '{"error":{"code":502,"message":"Down.","metadata":{"provider_name":"P","raw":"x"}}}',
    /Down/,
    true,
  ],
  [
    'Azure',
    400,
    '{"error":{"message":"Filtered.","type":null,"param":"prompt","code":"content_filter","status":400}}',
    /Filtered/,
    false,
  ],
  ['Azure', 429, '{"error":{"code":"429","message":"Slow down."}}', /Slow down/, true],
];

test.each(refusals)('%s refuses with %i %s', async (_, status, body, message, passes) => {
  const { model, server } = await serve({ status, body });
  const last = lastOf(await collect(model.generate(requestOf())));
  expect(last).toMatchObject({ type: 'failed', message: expect.stringMatching(message) });
  expect(Object.hasOwn(last ?? {}, 'retry')).toBe(passes);
  expect(server.requests).toHaveLength(1);
});
