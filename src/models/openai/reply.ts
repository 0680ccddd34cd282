/** Reads the bytes of one reply as model events: a stream of chunks, or one document. Never throws. */
import type { ModelEvent } from '../../core/model.ts';
import { textOf } from '../http/body.ts';
import type { ReadOptions } from '../http/exchange.ts';
import type { Failures } from '../http/failures.ts';
import type { HttpReply } from '../http/send.ts';
import { createSseReader, type SseReader } from '../http/sse.ts';
import { type Chunk, finishOf, readChunk } from './chunk.ts';

const limits = Object.freeze({
  eventLength: 4 * 1024 * 1024, // UTF-16 code units of one server-sent event
  bodyBytes: 16 * 1024 * 1024, // a reply in one piece
  usageGraceMs: 1_000, // from finish_reason to [DONE] or the close: usage may come between them
  closeGraceMs: 250, // from [DONE] to the close: a connection that is read to its end can be used again
});

/** A server that keeps the stream open after the end mark does not hold the reply up: `leave` is called for it. */
export async function* readStream(reply: Pick<HttpReply, 'bytes'>, options: ReadOptions): AsyncGenerator<ModelEvent> {
  const progress = createProgress(options.failures);
  const sse = createSseReader(limits.eventLength);
  let grace: ReturnType<typeof setTimeout> | undefined;
  let broken: ModelEvent | null = null;
  try {
    for await (const bytes of reply.bytes) {
      const graceMs = progress.graceMs();
      for (const event of eventsOf(bytes, sse, progress, options.failures)) {
        yield event;
        if (event.type === 'failed') return;
      }
      if (progress.graceMs() === graceMs) continue;
      clearTimeout(grace);
      grace = setTimeout(options.leave, progress.graceMs());
    }
  } catch (thrown) {
    broken = options.onBreak(thrown);
  } finally {
    clearTimeout(grace);
  }
  yield* progress.last(broken === null ? sse.end() : [], broken);
}

function* eventsOf(bytes: Uint8Array, sse: SseReader, progress: Progress, failures: Failures): Generator<ModelEvent> {
  const data = sse.feed(bytes);
  if (data === 'too_long') yield failures.unreadable('has an event above 4 MB');
  else for (const json of data) yield* progress.take(json);
}

/** What is known of a streamed reply so far. */
interface Progress {
  take(data: string): Generator<ModelEvent>;
  /** How long to wait for the close; undefined while the reply goes on. */
  graceMs(): number | undefined;
  /** `rest` is what stood at the end of a stream without its closing blank line. */
  last(rest: readonly string[], broken: ModelEvent | null): Generator<ModelEvent>;
}

function createProgress(failures: Failures): Progress {
  let finishReason: string | null = null;
  let usage: Chunk['usage'] = null;
  let hasText = false;
  let done = false;
  let failed = false;

  function* take(data: string): Generator<ModelEvent> {
    if (isDone(data)) {
      done = true;
      return;
    }
    const chunk = readChunk(data);
    failed = chunk === null || chunk.error !== null;
    if (chunk === null) return yield failures.unreadable('has an event that is no JSON object', data);
    if (chunk.error !== null) return yield failures.error(chunk.error);
    finishReason = chunk.finishReason ?? finishReason;
    usage = chunk.usage ?? usage;
    hasText ||= chunk.text !== '' || chunk.calls.length > 0;
    yield* pieces(chunk);
  }

  function end(broken: ModelEvent | null): ModelEvent {
    if (finishReason !== null) return endOf(finishReason, usage, failures);
    if (!done) return broken ?? failures.brokeOff('it was closed without an end mark');
    return hasText ? { type: 'end', finish: 'stop', usage } : failures.brokeOff('its end mark came before any text');
  }

  return {
    take,
    graceMs() {
      if (done) return limits.closeGraceMs;
      return finishReason === null ? undefined : limits.usageGraceMs;
    },
    *last(rest, broken) {
      // Half an event is no defect of its own: the stream broke off, and `end` says that.
      for (const data of rest.filter((data) => isDone(data) || readChunk(data) !== null)) yield* take(data);
      if (!failed) yield end(broken);
    },
  };
}

function isDone(data: string): boolean {
  return data.trim() === '[DONE]';
}

/** A document that says no finish_reason is whole all the same: its last brace is the end mark. */
export async function* readDocument(reply: Pick<HttpReply, 'bytes'>, options: ReadOptions): AsyncGenerator<ModelEvent> {
  const { failures } = options;
  let body: string | null;
  try {
    body = await textOf(reply.bytes, limits.bodyBytes);
  } catch (thrown) {
    return yield options.onBreak(thrown);
  }
  if (body === null) return yield failures.unreadable('is above 16 MB');
  const chunk = readChunk(body);
  if (chunk === null) return yield failures.unreadable('is no JSON object', body);
  if (chunk.error !== null) return yield failures.error(chunk.error);
  if (!chunk.hasChoice) return yield failures.unreadable('holds no choice', body);
  yield* pieces(chunk);
  yield endOf(chunk.finishReason ?? 'stop', chunk.usage, failures);
}

function* pieces(chunk: Chunk): Generator<ModelEvent> {
  if (chunk.reasoning !== '') yield { type: 'reasoning', text: chunk.reasoning };
  if (chunk.text !== '') yield { type: 'text', text: chunk.text };
  yield* chunk.calls;
}

function endOf(finishReason: string, usage: Chunk['usage'], failures: Failures): ModelEvent {
  const finish = finishOf(finishReason);
  return finish === null ? failures.endMark('finish_reason', finishReason) : { type: 'end', finish, usage };
}
