import { expect, test } from 'vitest';
import { createSseReader } from '../../src/models/http/sse.ts';

const table: readonly (readonly [string, string, readonly string[]])[] = [
  ['events', 'data: a\n\ndata: b\n\n', ['a', 'b']],
  ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
  ['CR', 'data: a\r\rdata: b\r\r', ['a', 'b']],
  ['lines of one event', 'data: a\ndata: b\n\n', ['a\nb']],
  ['comments, ids, names', ': x\n\nid: 1\nevent: e\nretry: 5\nfoo: bar\ndata: a\n\n', ['a']],
  ['no data', 'data: \n\ndata\n\n\n\n', []],
  ['no space, two spaces', 'data:a\n\ndata:  b\n\n', ['a', ' b']],
  ['characters of many bytes', 'data: 订单🙂\n\n', ['订单🙂']],
  ['letters like the bytes of a mark', 'ï»¿data: a\n\ndata: b\n\n', ['b']],
  ['no closing line', 'data: a\n\ndata: b', ['a', 'b']],
];

test.each(table)('%s, at every chunk size', (_, text, expected) => {
  const bytes = new TextEncoder().encode(text);
  for (let size = 1; size <= bytes.length; size++) {
    const sse = createSseReader(100);
    const data: string[] = [];
    for (let start = 0; start < bytes.length; start += size) {
      const taken = sse.feed(bytes.subarray(start, start + size));
      data.push(...(taken === 'too_long' ? [taken] : taken));
    }
    expect([...data, ...sse.end()], `chunks of ${size}`).toEqual(expected);
  }
});

test.each([
  ['one line', `data: ${'x'.repeat(200)}\n\n`],
  ['a line without an end', `data: ${'x'.repeat(200)}`],
  ['many lines', 'data: xxxxx\n'.repeat(40)],
])('above the limit, and for good: %s', (_, text) => {
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 50, bytes.length]) {
    const sse = createSseReader(100);
    let taken: readonly string[] | 'too_long' = [];
    for (let start = 0; start < bytes.length; start += size) taken = sse.feed(bytes.subarray(start, start + size));
    expect(taken).toBe('too_long');
    expect(sse.feed(new TextEncoder().encode('data: a\n\n'))).toBe('too_long');
    expect(sse.end()).toEqual([]);
  }
});

test.each(['\n', '\r', '\r\n'])('the byte that completes an event hands it on: %j', (newline) => {
  const sse = createSseReader(100);
  const bytes = new TextEncoder().encode(`data: a${newline}${newline}data: b${newline}${newline}:`);
  const data = Array.from(bytes, (byte) => sse.feed(Uint8Array.of(byte))).flat();
  expect(data).toEqual(['a', 'b']);
});
