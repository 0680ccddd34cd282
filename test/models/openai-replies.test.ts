import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ServerAnswer } from '../support/openai-server.ts';
import { collect, lastOf, requestOf, textOf } from './asking.ts';
import { delta, serve, sse } from './openai-setup.ts';

const usage = { prompt_tokens: 12, completion_tokens: 5 };
const counted = { inputTokens: 12, outputTokens: 5 };

const finishReasons: readonly (readonly [string, string])[] = [
  ...['stop', 'STOP', 'eos', 'eos_token', 'stop_sequence', 'end_turn', 'tool_calls', 'tool_use', 'function_call'].map(
    (word) => [word, 'stop'] as const,
  ),
  ...['length', 'max_tokens', 'MAX_TOKENS', 'model_length'].map((word) => [word, 'length'] as const),
  ...['content_filter', 'SAFETY', 'sensitive', 'refusal'].map((word) => [word, 'content_filter'] as const),
  ...['error', 'abort', 'constructor', 'network_error'].map((word) => [word, 'broke_off'] as const),
];

describe.each([true, false])('stream: %s', (stream) => {
  test.each(finishReasons)('finish_reason %s is %s', async (finishReason, expected) => {
    const { model } = await serve({ text: 'Hi', finishReason }, { stream });
    const last = lastOf(await collect(model.generate(requestOf())));
    expect(last?.type === 'end' ? last.finish : last?.type === 'failed' && last.failure).toBe(expected);
    if (last?.type === 'failed') expect(last.message).toContain(finishReason);
  });

  test('text, reasoning and usage', async () => {
    const { model } = await serve({ text: 'Final Answer: 42', reasoning: '让我想想', usage }, { stream });
    const events = await collect(model.generate(requestOf()));
    expect([textOf(events, 'reasoning'), textOf(events)]).toEqual(['让我想想', 'Final Answer: 42']);
    expect(lastOf(events)).toEqual({ type: 'end', finish: 'stop', usage: counted });
  });

  test.each([
    [
      'a server that only sends documents',
      'application/json; charset=utf-8',
      JSON.stringify({ choices: [{ message: { content: 'ok' } }] }),
    ],
    ['a server that only streams', 'text/event-stream; charset=utf-8', sse(delta('o'), delta('k', 'stop'))],
  ])('%s', async (_, contentType, body) => {
    const { model } = await serve({ body, headers: { 'content-type': contentType } }, { stream });
    const events = await collect(model.generate(requestOf()));
    expect([textOf(events), lastOf(events)?.type]).toEqual(['ok', 'end']);
  });

  test.each([
    ['an object', { error: { message: 'CUDA out of memory', code: 500 } }],
    ['a text', { error: 'CUDA out of memory' }],
    [
      'of the choice, as OpenRouter writes it',
      {
        choices: [
          {
            index: 0,
            message: { content: '' },
            delta: { content: '' },
            finish_reason: 'error',
            error: { code: 502, message: 'CUDA out of memory' },
          },
        ],
      },
    ],
    ['an object that is the error', { object: 'error', message: 'CUDA out of memory' }],
  ])('an error inside a 200: %s', async (_, document) => {
    const body = stream ? sse(delta('Hel'), document, '[DONE]') : JSON.stringify(document);
    const { model } = await serve({ body }, { stream });
    const events = await collect(model.generate(requestOf()));
    expect(lastOf(events)).toMatchObject({ type: 'failed', failure: 'refused' });
    expect(lastOf(events)).toHaveProperty('message', expect.stringContaining('CUDA out of memory'));
    expect(textOf(events)).toBe(stream ? 'Hel' : '');
  });

  test.each([
    ['HTML', '<html>Sign in to the network</html>', 'text/html', 'Sign in to the network'],
    ['half a document', '{"choices":[{"message":{"content":"Fin', 'application/json', 'Fin'],
    ['an array', '[]', 'application/json', '[]'],
    ['no choice', '{"choices":[]}', 'application/json', 'choice'],
    ['nothing', '', 'application/json', 'nothing'],
  ])('%s is unreadable', async (_, body, contentType, shown) => {
    const { model } = await serve({ body, headers: { 'content-type': contentType } }, { stream });
    const last = lastOf(await collect(model.generate(requestOf())));
    expect(last).toMatchObject({ type: 'failed', failure: 'unreadable', message: expect.stringContaining(shown) });
  });
});

const ended = { type: 'end', finish: 'stop', usage: null };
const brokeOff = expect.objectContaining({ type: 'failed', failure: 'broke_off' });
const unreadable = expect.objectContaining({ type: 'failed', failure: 'unreadable' });

const streams: readonly (readonly [string, string, ServerAnswer, unknown])[] = [
  ['CRLF', 'Hello there', { text: 'Hello there', eol: '\r\n' }, ended],
  ['CR', 'Hello there', { text: 'Hello there', eol: '\r' }, ended],
  [
    'comments and other fields',
    'ab',
    {
      body: `: hi\n\nevent: x\nid: 1\nretry: 9\n${sse(delta('a'))}:\n\n: OPENROUTER PROCESSING\n\n${sse(delta('b', 'stop'), '[DONE]')}`,
    },
    ended,
  ],
  [
    'empty writes and empty data',
    'a',
    { chunks: ['data: \n\n', '\n\n\n', sse(delta(''), delta('a', 'stop')), 'data:\n\n'] },
    ended,
  ],
  [
    'data over two lines',
    'a',
    { body: `data: {"choices":[{"delta":\ndata: {"content":"a"},"finish_reason":"stop"}]}\n\n` },
    ended,
  ],
  ['a byte order mark', 'a', { body: `\ufeff${sse(delta('a', 'stop'))}` }, ended],
  [
    'chunks without choices',
    'a',
    { body: sse({ choices: [], prompt_filter_results: [] }, { type: 'ping' }, delta('a', 'stop')) },
    ended,
  ],
  [
    'content in parts',
    'ab',
    { body: sse({ choices: [{ delta: { content: [{ type: 'text', text: 'a' }, { text: 'b' }, 7] } }] }, '[DONE]') },
    ended,
  ],
  [
    'null for everything',
    '',
    {
      body: sse(
        { choices: [{ delta: null, finish_reason: null }], usage: null, error: null },
        { choices: null },
        { choices: [null] },
        delta('', 'stop'),
      ),
    },
    ended,
  ],
  ['[DONE] without finish_reason', 'a', { body: sse(delta('a'), '[DONE]') }, ended],
  ['[DONE] without text', '', { body: sse(delta(''), '[DONE]') }, brokeOff],
  ['no [DONE]', 'a', { body: sse(delta('a', 'stop')) }, ended],
  ['no blank line at the end', 'a', { body: `${sse(delta('a'))}data: [DONE]` }, ended],
  ['no end mark', 'a', { body: sse(delta('a')) }, brokeOff],
  ['half an event at the end', 'a', { body: `${sse(delta('a'))}data: {"choi` }, brokeOff],
  [
    'an error without a blank line at the end',
    'a',
    { body: `${sse(delta('a'))}data: {"error":"no"}` },
    expect.objectContaining({ failure: 'refused' }),
  ],
  ['a reset', 'a', { body: sse(delta('a')), end: 'reset' }, brokeOff],
  ['a reset behind finish_reason', 'a', { body: sse(delta('a', 'stop')), end: 'reset' }, ended],
  ['nothing at all', '', { body: '' }, brokeOff],
  ['data that is no JSON', 'a', { body: sse(delta('a'), 'oops', delta('b', 'stop')) }, unreadable],
  [
    'usage in every chunk',
    'a',
    {
      body: sse({ ...delta('a'), usage: { prompt_tokens: 12, completion_tokens: 1 } }, { ...delta('', 'stop'), usage }),
    },
    { ...ended, usage: counted },
  ],
  ...[-1, 1.5, '5', null].map(
    (count) =>
      [
        `usage of ${JSON.stringify(count)} is none`,
        'a',
        { body: sse({ ...delta('a', 'stop'), usage: { prompt_tokens: 3, completion_tokens: count } }) },
        ended,
      ] as const,
  ),
  [
    'a character that never ends',
    'a\ufffd',
    {
      hexChunks: [
        Buffer.from('data: {"choices":[{"delta":{"content":"a').toString('hex'),
        'e680',
        Buffer.from('"},"finish_reason":"stop"}]}\n\n').toString('hex'),
      ],
    },
    ended,
  ],
  ['a stream left open behind [DONE]', 'a', { body: sse(delta('a', 'stop'), '[DONE]'), end: 'hang' }, ended],
  ['a stream left open behind finish_reason', 'a', { body: sse(delta('a', 'stop')), end: 'hang' }, ended],
];

describe('streams', () => {
  test.each(streams)('%s', async (_, text, answer, last) => {
    const { model } = await serve(answer);
    const events = await collect(model.generate(requestOf()));
    expect(textOf(events)).toBe(text);
    expect(events.filter(({ type }) => type === 'end' || type === 'failed')).toEqual([last]);
    expect(lastOf(events)).toEqual(last);
  });

  test('an event above 4 MB is unreadable, in one line or in many', async () => {
    const part = 'x'.repeat(1024 * 1024);
    for (const lineEnd of ['', '\ndata: ']) {
      const { model, server } = await serve({ chunks: ['data: ', ...Array(5).fill(`${part}${lineEnd}`)], end: 'hang' });
      const events = await collect(model.generate(requestOf()));
      expect(events).toEqual([unreadable]);
      await server.allClosed();
    }
  });

  test('a document above 16 MB is unreadable', async () => {
    const part = ' '.repeat(1024 * 1024);
    const { model, server } = await serve({ chunks: Array(18).fill(part), end: 'hang' }, { stream: false });
    expect(await collect(model.generate(requestOf()))).toEqual([unreadable]);
    await server.allClosed();
  });
});

test('however the bytes are cut, the text is the same', async () => {
  const character = fc.constantFrom(
    'a',
    '"',
    '\\',
    '\n',
    '\r',
    '订',
    '单',
    '🙂',
    '👩‍👩‍👧',
    '\u2028',
    'data: ',
    '[DONE]',
  );
  const answer = fc.record({
    text: fc.array(character, { maxLength: 30 }).map((characters) => characters.join('')),
    eol: fc.constantFrom('\n' as const, '\r\n' as const, '\r' as const),
    stream: fc.boolean(),
    seed: fc.nat(),
  });
  await fc.assert(
    fc.asyncProperty(answer, async ({ text, eol, stream, seed }) => {
      const { server, model } = await serve({ text, eol, usage }, { stream, seed });
      const events = await collect(model.generate(requestOf()));
      expect(textOf(events)).toBe(text);
      expect(lastOf(events)).toEqual({ type: 'end', finish: 'stop', usage: counted });
      await model.close();
      await server.close();
    }),
    { numRuns: 60 },
  );
});
