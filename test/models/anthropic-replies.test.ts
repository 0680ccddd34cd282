/** Replies as the API and its proxies send them, and the events that the adapter makes of them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ModelEvent } from '../../src/core/model.ts';
import { type AnthropicAnswer, sse } from '../support/anthropic-server.ts';
import { call, hidden, serve, text, thought } from './anthropic-setup.ts';
import { callsOf, collect, lastOf, requestOf, textOf } from './asking.ts';

const counted = { inputTokens: 12, outputTokens: 5 };

const stopReasons: readonly (readonly [string, string])[] = [
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content_filter'],
  ['pause_turn', 'broke_off'],
  ['compaction', 'broke_off'],
  ['constructor', 'broke_off'],
  ['END_TURN', 'broke_off'],
];

const usages: readonly (readonly [string, object, object, object | null])[] = [
  ['of both ends', { input_tokens: 12, output_tokens: 1 }, { output_tokens: 5 }, counted],
  [
    'with what the cache took and gave',
    { input_tokens: 2, cache_creation_input_tokens: 3, cache_read_input_tokens: 7, output_tokens: 1 },
    { output_tokens: 5 },
    { ...counted, cachedInputTokens: 7 },
  ],
  [
    'with an empty cache',
    { input_tokens: 12, cache_read_input_tokens: 0, output_tokens: 1 },
    { output_tokens: 5 },
    { ...counted, cachedInputTokens: 0 },
  ],
  [
    'all at the end',
    {},
    { input_tokens: 2, cache_creation_input_tokens: 10, cache_read_input_tokens: null, output_tokens: 5 },
    counted,
  ],
  ['corrected at the end', { input_tokens: 10, output_tokens: 1 }, { input_tokens: 12, output_tokens: 5 }, counted],
  ['without input', {}, { output_tokens: 5 }, null],
  ['without output', { input_tokens: 12 }, {}, null],
  ['that is none', { input_tokens: -1, output_tokens: '5' }, { output_tokens: 1.5 }, null],
];

describe.each([true, false])('stream: %s', (stream) => {
  test.each(stopReasons)('stop_reason %s is %s', async (finishReason, expected) => {
    const { model } = await serve({ finishReason }, { stream });
    const last = lastOf(await collect(model.generate(requestOf())));
    expect(last?.type === 'end' ? last.finish : last?.type === 'failed' && last.failure).toBe(expected);
    if (last?.type === 'failed') expect(last.message).toContain(`stop_reason "${finishReason}"`);
  });

  test.each(usages)('usage %s', async (_, first, last, usage) => {
    const { model } = await serve({ usages: [first, last] }, { stream });
    expect(lastOf(await collect(model.generate(requestOf())))).toEqual({ type: 'end', finish: 'stop', usage });
  });

  test('thinking is kept apart, text and calls come in their order', async () => {
    const content = [
      thought('让我想想 🙂'),
      text('I '),
      hidden('AbC='),
      text('look.'),
      call('now', '{"a":[1]}'),
      call('f', ''),
    ];
    const { model } = await serve({ content }, { stream, seed: 5 });
    const events = await collect(model.generate(requestOf()));
    expect([textOf(events, 'reasoning'), textOf(events)]).toEqual(['让我想想 🙂', 'I look.']);
    expect(callsOf(events)).toEqual([
      { tool: 'now', input: '{"a":[1]}' },
      { tool: 'f', input: stream ? '' : '{}' },
    ]);
    const pieces = events.filter((event) => event.type === 'call');
    expect(pieces.flatMap(({ index, id }) => (id === null ? [] : [[index, id]]))).toEqual([
      [4, 'toolu_now'],
      [5, 'toolu_f'],
    ]);
    expect(lastOf(events)).toMatchObject({ type: 'end', finish: 'stop' });
  });

  test.each([
    ['a server that only sends documents', 'application/json', '{"content":[{"type":"text","text":"ok"}]}'],
    [
      'a server that only streams',
      'text/event-stream; charset=utf-8',
      sse(
        { type: 'content_block_delta', delta: { type: 'text_delta', text: 'ok' } },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      ),
    ],
  ])('%s', async (_, contentType, body) => {
    const { model } = await serve({ body, headers: { 'content-type': contentType } }, { stream });
    const events = await collect(model.generate(requestOf()));
    expect([textOf(events), lastOf(events)]).toEqual(['ok', { type: 'end', finish: 'stop', usage: null }]);
  });

  test.each([
    ['overloaded_error', 'refused', true],
    ['api_error', 'refused', true],
    ['timeout_error', 'refused', true],
    ['rate_limit_error', 'rate_limited', true],
    ['invalid_request_error', 'refused', false],
    ['authentication_error', 'refused', false],
    ['billing_error', 'refused', false],
    ['permission_error', 'refused', false],
    ['not_found_error', 'refused', false],
    ['request_too_large', 'refused', false],
    ['something_new', 'refused', false],
  ])('%s inside a 200: %s, another try: %s', async (type, failure, again) => {
    const error = { type: 'error', error: { type, message: 'It is so.' }, request_id: 'req_1' };
    const start = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } };
    const { model } = await serve({ body: stream ? sse(start, error, start) : JSON.stringify(error) }, { stream });
    const events = await collect(model.generate(requestOf()));
    const last = lastOf(events);
    expect(last).toMatchObject({ type: 'failed', failure, message: expect.stringContaining('It is so.') });
    expect(last).toEqual(expect.objectContaining(again ? { retry: { afterMs: null } } : { type: 'failed' }));
    if (!again) expect(last).not.toHaveProperty('retry');
    expect(textOf(events)).toBe(stream ? 'Hel' : '');
  });

  test.each([
    ['HTML', '<html>Sign in to the network</html>', 'text/html', 'Sign in to the network'],
    ['half a document', '{"content":[{"type":"text","text":"Fin', 'application/json', 'Fin'],
    ['an array', '[]', 'application/json', '[]'],
    ['another form', '{"choices":[]}', 'application/json', 'choice'],
    ['nothing', '', 'application/json', 'nothing'],
  ])('%s is unreadable', async (_, body, contentType, shown) => {
    const { model } = await serve({ body, headers: { 'content-type': contentType } }, { stream });
    const last = lastOf(await collect(model.generate(requestOf())));
    expect(last).toMatchObject({ type: 'failed', failure: 'unreadable', message: expect.stringContaining(shown) });
    expect(last).toHaveProperty('hint', expect.stringContaining('/v1/messages'));
  });
});

const start = { type: 'message_start', message: { usage: { input_tokens: 12, output_tokens: 1 } } };
const begin = (content_block: unknown, index: unknown = 0) => ({ type: 'content_block_start', index, content_block });
const delta = (delta: unknown, index: unknown = 0) => ({ type: 'content_block_delta', index, delta });
const said = (text: unknown) => delta({ type: 'text_delta', text });
const json = (partial_json: unknown, index: unknown = 0) => delta({ type: 'input_json_delta', partial_json }, index);
const stop = { type: 'content_block_stop', index: 0 };
const over = (stop_reason: unknown = 'end_turn') => ({
  type: 'message_delta',
  delta: { stop_reason },
  usage: { output_tokens: 5 },
});
const last = { type: 'message_stop' };
const tool = (more: object = {}) => begin({ type: 'tool_use', id: 'x', name: 'f', input: {}, ...more });
const ended = { type: 'end', finish: 'stop', usage: counted };
const brokeOff = expect.objectContaining({ type: 'failed', failure: 'broke_off', retry: { afterMs: null } });
const unreadable = expect.objectContaining({ type: 'failed', failure: 'unreadable' });
const whole = sse(start, begin({ type: 'text', text: '' }), said('a'), stop);

const streams: readonly (readonly [string, string, AnthropicAnswer, unknown])[] = [
  ['CRLF', 'Hello', { text: 'Hello', eol: '\r\n' }, ended],
  ['CR', 'Hello', { text: 'Hello', eol: '\r' }, ended],
  ['pings everywhere', 'Hello', { text: 'Hello', between: [{ type: 'ping' }] }, ended],
  ['events that are not known', 'Hello', { text: 'Hello', between: [{ type: 'news' }, { type: 7 }, {}] }, ended],
  ['comments', 'Hello', { text: 'Hello', noise: ': keep-alive\n\n' }, ended],
  ['no names of events', 'a', { body: whole.replaceAll(/^event: .*\n/gm, '') + sse(over(), last) }, ended],
  [
    'a text that begins with its block',
    'ab',
    { body: sse(start, begin({ type: 'text', text: 'a' }), said('b'), over()) },
    ended,
  ],
  ['no blocks around the text', 'a', { body: sse(start, said('a'), over(), last) }, ended],
  ['deltas that are empty', 'a', { body: sse(start, said(''), said('a'), said(''), over(), last) }, ended],
  [
    'null for everything',
    'a',
    {
      body: sse(
        { type: 'message_start', message: null },
        begin(null),
        delta(null),
        said(null),
        stop,
        start,
        said('a'),
        over(),
      ),
    },
    ended,
  ],
  [
    'blocks and deltas that are not known',
    'a',
    {
      body: sse(
        start,
        begin({ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
        json('{"query": "tide"}'),
        delta({ type: 'citations_delta', citation: {} }),
        stop,
        begin({ type: 'web_search_tool_result', content: [] }),
        said('not said'),
        stop,
        begin({ type: 'text', text: '' }),
        said('a'),
        over(),
        last,
      ),
    },
    ended,
  ],
  [
    'a stop reason at the beginning',
    'a',
    {
      body:
        sse({ type: 'message_start', message: { stop_reason: 'end_turn', usage: { input_tokens: 12 } } }) +
        whole.slice(sse(start).length) +
        sse(over(), last),
    },
    ended,
  ],
  [
    'a stop reason before the end, and a reset',
    'aa',
    { body: sse(start, said('a'), over(), said('a')), end: 'reset' },
    brokeOff,
  ],
  [
    'a stop reason before the end, and an end mark',
    'aa',
    { body: sse(start, said('a'), over(), said('a'), last) },
    ended,
  ],
  ['more behind the end mark', 'a', { body: sse(start, said('a'), over(), last, said('b')) }, ended],
  [
    'signatures without end',
    '',
    {
      body: sse(start, begin({ type: 'thinking', thinking: '' })),
      repeat: { text: sse(delta({ type: 'signature_delta', signature: 'x'.repeat(500_000) })), times: 60 },
    },
    unreadable,
  ],
  ['no message_stop', 'a', { body: whole + sse(over()) }, ended],
  ['no stop reason', 'a', { body: whole + sse(over(null), last) }, ended],
  ['neither', 'a', { body: whole }, brokeOff],
  ['an end mark before any content', '', { body: sse(start, last) }, brokeOff],
  ['nothing at all', '', { body: '' }, brokeOff],
  ['half an event at the end', 'a', { body: `${whole}data: {"type":"mess` }, brokeOff],
  ['no blank line at the end', 'a', { body: `${whole}${sse(over()).trimEnd()}` }, ended],
  [
    'an error without a blank line at the end',
    'a',
    { body: `${whole}${sse({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }).trimEnd()}` },
    expect.objectContaining({ failure: 'refused', retry: { afterMs: null } }),
  ],
  ['a reset', 'a', { body: whole, end: 'reset' }, brokeOff],
  ['a reset behind the stop reason', 'a', { body: whole + sse(over()), end: 'reset' }, ended],
  ['data that is no JSON', 'a', { body: `${whole}data: oops\n\n${sse(over())}` }, unreadable],
  ['a stream left open behind message_stop', 'a', { body: whole + sse(over(), last), end: 'hang' }, ended],
  ['a stream left open behind the stop reason', 'a', { body: whole + sse(over()), end: 'hang' }, ended],
  ['gzip', 'Hello', { text: 'Hello', encoding: 'gzip' }, ended],
  [
    'blocks without end',
    '',
    { body: sse(...Array(4_097).fill(begin({ type: 'text', text: '' }))), end: 'hang' },
    unreadable,
  ],
];

const calls: readonly (readonly [string, readonly object[], readonly ModelEvent[]])[] = [
  [
    'an input in pieces',
    [tool(), json(''), json('{"a"'), json(':1}'), stop],
    [piece('x', 'f', ''), piece(null, '', '{"a"'), piece(null, '', ':1}')],
  ],
  ['no input', [tool(), json(''), stop], [piece('x', 'f', '')]],
  ['an input at the beginning', [tool({ input: { a: 1 } }), stop], [piece('x', 'f', ''), piece(null, '', '{"a":1}')]],
  [
    'an input at the beginning, without the end of its block',
    [tool({ input: { a: 1 } })],
    [piece('x', 'f', ''), piece(null, '', '{"a":1}')],
  ],
  [
    'an input at the beginning and in pieces',
    [tool({ input: { a: 1 } }), json('{"b":2}'), stop],
    [piece('x', 'f', ''), piece(null, '', '{"b":2}')],
  ],
  ['an input that is no JSON', [tool(), json('tide {'), stop], [piece('x', 'f', ''), piece(null, '', 'tide {')]],
  ['no id and no name', [tool({ id: '', name: null }), stop], [piece(null, '', '')]],
  [
    'several at once, and an index that is none',
    [
      tool(),
      json('{}'),
      stop,
      begin({ type: 'tool_use', id: 'y', name: 'g', input: {} }, 1),
      json('[', 1),
      begin({ type: 'tool_use', id: 'z', name: 'h' }, -1),
    ],
    [
      piece('x', 'f', ''),
      piece(null, '', '{}'),
      piece('y', 'g', '', 1),
      piece(null, '', '[', 1),
      piece('z', 'h', '', null),
    ],
  ],
];

function piece(id: string | null, tool: string, input: string, index: number | null = 0): ModelEvent {
  return { type: 'call', index, id, tool, input };
}

describe('streams', () => {
  test.each(streams)('%s', async (_, text, answer, wanted) => {
    const { model, server } = await serve(answer);
    const events = await collect(model.generate(requestOf()));
    expect(textOf(events)).toBe(text);
    expect(events.filter(({ type }) => type === 'end' || type === 'failed')).toEqual([wanted]);
    expect(lastOf(events)).toEqual(wanted);
    await model.close();
    await server.allClosed();
  });

  test.each(calls)('calls: %s', async (_, events, wanted) => {
    const { model } = await serve({ body: sse(start, ...events, over('tool_use'), last) });
    const made = await collect(model.generate(requestOf()));
    expect(made).toEqual([...wanted, ended]);
  });

  test('an event above 4 MB, and a document above 16 MB, are unreadable', async () => {
    const part = 'x'.repeat(1024 * 1024);
    const streaming = await serve({ chunks: ['data: ', ...Array(5).fill(part)], end: 'hang' });
    expect(await collect(streaming.model.generate(requestOf()))).toEqual([unreadable]);
    await streaming.server.allClosed();
    const inOnePiece = await serve({ chunks: Array(18).fill(part), end: 'hang' }, { stream: false });
    expect(await collect(inOnePiece.model.generate(requestOf()))).toEqual([unreadable]);
    await inOnePiece.server.allClosed();
  });
});

test('however the bytes are cut and whatever stands in them, the reply is the same', async () => {
  const character = fc.constantFrom(
    'a',
    '"',
    '\\',
    '\n',
    '\r',
    '订',
    '🙂',
    '👩‍👩‍👧',
    '\u2028',
    'data: ',
    'event: error',
  );
  const words = fc.array(character, { maxLength: 20 }).map((characters) => characters.join(''));
  const answer = fc.record({
    said: words,
    thinking: words,
    eol: fc.constantFrom('\n' as const, '\r\n' as const, '\r' as const),
    stream: fc.boolean(),
    seed: fc.nat(),
  });
  await fc.assert(
    fc.asyncProperty(answer, async ({ said, thinking, eol, stream, seed }) => {
      const made = [thought(thinking), text(said), call('f', JSON.stringify({ said }))];
      const { server, model } = await serve({ content: made, eol }, { stream, seed });
      const events = await collect(model.generate(requestOf()));
      expect([textOf(events, 'reasoning'), textOf(events)]).toEqual([thinking, said]);
      expect(callsOf(events)).toEqual([{ tool: 'f', input: JSON.stringify({ said }) }]);
      expect(lastOf(events)).toMatchObject({ type: 'end', finish: 'stop', usage: counted });
      await model.close();
      await server.close();
    }),
    { numRuns: 60 },
  );
});
