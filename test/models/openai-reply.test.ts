import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFailures } from '../../src/models/http/failures.ts';
import { readStream } from '../../src/models/openai/reply.ts';
import { openaiWords } from '../../src/models/openai/words.ts';
import { collect, lastOf, open, readText } from './asking.ts';
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
