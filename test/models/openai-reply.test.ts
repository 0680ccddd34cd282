import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFailures } from '../../src/models/http/failures.ts';
import { readStream } from '../../src/models/openai/reply.ts';
import { openaiWords } from '../../src/models/openai/words.ts';
import { collect, lastOf, open, readText, textOf } from './asking.ts';
import { delta, sse } from './openai-setup.ts';

// The only clock of the adapter: how long a server may keep a stream open behind the end mark.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const failures = createFailures(
  { where: 'openai', keyHint: '', url: new URL('http://127.0.0.1/v1'), model: 'test-model', secrets: [] },
  openaiWords,
);

function reading(bytes: AsyncIterable<Uint8Array>, leave: () => void) {
  return readStream({ bytes }, { failures, onBreak: (thrown) => failures.brokeOff(thrown), leave });
}

async function* bytesOf(parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield new TextEncoder().encode(part);
}

test('a stream that closes leaves no timer, however its end marks are spread', async () => {
  const parts = [sse(delta('a', 'stop')), ': usage follows\n\n', sse('[DONE]'), '\n'];
  expect(lastOf(await collect(reading(bytesOf(parts), () => {})))?.type).toBe('end');
  expect(vi.getTimerCount()).toBe(0);
});

test('leaving behind the end mark leaves no timer', async () => {
  const reply = open(reading(bytesOf([sse(delta('a', 'stop')), sse(delta('b'))]), () => {}));
  await readText(reply, 2);
  expect(vi.getTimerCount()).toBe(1);
  await reply.leave();
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ['finish_reason', [sse(delta('a'), delta('', 'stop'))], 1_000],
  ['finish_reason with the last piece', [sse(delta('a', 'stop'))], 10_000],
  ['[DONE]', [sse(delta('a', 'stop')), sse('[DONE]')], 250],
])('a stream left open behind %s is left', async (_, parts, graceMs) => {
  let leave: () => void = () => {};
  async function* endless() {
    yield* bytesOf(parts);
    await new Promise((_resolve, reject) => {
      leave = () => reject(new Error('left'));
    });
  }
  const events = collect(reading(endless(), () => leave()));
  await vi.advanceTimersByTimeAsync(graceMs - 1);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(lastOf(await events)).toEqual({ type: 'end', finish: 'stop', usage: null });
});

/** Parts with so much time before each, and then the close, or an error. */
async function* slowly(parts: readonly string[], { everyMs, breaks }: { everyMs: number; breaks: boolean }) {
  for (const part of parts) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    yield* bytesOf([part]);
  }
  if (breaks) throw new Error('reset');
}

const done = sse('[DONE]');
test.each<readonly [string, readonly string[], number, boolean, string | null]>([
  [
    'in every chunk',
    [sse(delta('a', 'stop')), sse(delta('b', 'stop')), sse(delta('c', 'stop')), done],
    900,
    false,
    'abc',
  ],
  [
    'in every chunk, slower',
    [sse(delta('a', 'stop')), sse(delta('b', 'stop')), sse(delta('c', 'stop')), done],
    5_000,
    false,
    'abc',
  ],
  [
    'in every chunk, closed',
    [sse(delta('a', 'stop')), sse(delta('b', 'stop')), sse(delta('c', 'stop'))],
    5_000,
    false,
    'abc',
  ],
  ['in every chunk, reset', [sse(delta('a', 'stop')), sse(delta('b', 'stop'))], 500, true, null],
  ['in every chunk, reset behind [DONE]', [sse(delta('a', 'stop')), sse(delta('b', 'stop')), done], 100, true, 'ab'],
  ['too early', [sse(delta('', 'stop')), sse(delta('a')), sse(delta('b')), done], 900, false, 'ab'],
  [
    'too early, much later',
    [sse(delta('', 'stop')), sse(delta('a')), ...Array(3).fill(': wait\n\n'), sse(delta('b'))],
    900,
    false,
    'ab',
  ],
  ['"null"', [sse(delta('a', 'null')), sse(delta('b', 'NULL')), sse(delta('c', 'stop')), done], 9_000, false, 'abc'],
  ['"None" and then nothing', [sse(delta('a', 'None'))], 100, false, null],
  ['at the end, reset', [sse(delta('a')), sse(delta('', 'stop'))], 500, true, 'a'],
])('finish_reason %s: whole, or broken off, and never cut', async (_, parts, everyMs, breaks, text) => {
  let left = 0;
  const events = collect(reading(slowly(parts, { everyMs, breaks }), () => void left++));
  await vi.runAllTimersAsync();
  const read = await events;
  if (text === null) expect(lastOf(read)).toMatchObject({ type: 'failed', failure: 'broke_off' });
  else expect([textOf(read), lastOf(read)?.type, left]).toEqual([text, 'end', 0]);
});

test('what comes behind [DONE] is not taken, and a count of nothing is none', async () => {
  const usage = (prompt_tokens: number, completion_tokens: number) => ({
    choices: [],
    usage: { prompt_tokens, completion_tokens },
  });
  const parts = [sse(delta('a'), usage(12, 5), delta('', 'stop'), usage(0, 0), '[DONE]', delta('b'), usage(1, 1))];
  const events = await collect(reading(bytesOf(parts), () => {}));
  expect(textOf(events)).toBe('a');
  expect(lastOf(events)).toMatchObject({ usage: { inputTokens: 12, outputTokens: 5 } });
});

test('what is kept to be given back is bounded', async () => {
  const data = 'x'.repeat(1024 * 1024);
  const detail = { choices: [{ delta: { reasoning_details: [{ type: 'reasoning.encrypted', data }] } }] };
  let parts = 0;
  async function* endless() {
    for (;;) {
      parts++;
      yield* bytesOf([sse(detail)]);
    }
  }
  expect(lastOf(await collect(reading(endless(), () => {})))).toMatchObject({ failure: 'unreadable' });
  expect(parts).toBeLessThan(6);
});
