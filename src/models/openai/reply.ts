/** Reads the bytes of one reply as model events: a stream of chunks, or one document. Never throws. */
import type { ModelEvent } from '../../core/model.ts';
import type { ReadOptions } from '../http/exchange.ts';
import type { Failures } from '../http/failures.ts';
import { type Progress, readStream as readEvents, readWhole } from '../http/reading.ts';
import type { HttpReply } from '../http/send.ts';
import { type Chunk, finishOf, readChunk } from './chunk.ts';
import { collectReasoning, type Mark, type Reasoning } from './reasoning.ts';

const limits = Object.freeze({
  usageGraceMs: 1_000, // from finish_reason to [DONE] or the close: usage may come between them
  closeGraceMs: 250, // from [DONE] to the close: a connection that is read to its end can be used again
});

/** `mark`: of the server and model, for what goes back to them. */
export function readStream(
  reply: Pick<HttpReply, 'bytes'>,
  options: ReadOptions,
  mark: Mark = noMark,
): AsyncGenerator<ModelEvent> {
  return readEvents(reply, options, createProgress(options.failures, collectReasoning(mark)));
}

/** For those who only want to read. */
const noMark: Mark = Object.freeze({ adapter: 'openai', server: '', model: '' });

function createProgress(failures: Failures, reasoning: Reasoning): Progress {
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
    reasoning.take(chunk);
    hasText ||= chunk.text !== '' || chunk.calls.length > 0;
    yield* pieces(chunk);
  }

  function end(broken: ModelEvent | null): ModelEvent {
    if (finishReason !== null) return endOf(finishReason, { usage, reasoning, failures });
    if (!done) return broken ?? failures.brokeOff('it was closed without an end mark');
    if (!hasText) return failures.brokeOff('its end mark came before any text');
    return endOf('stop', { usage, reasoning, failures });
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
export async function* readDocument(
  reply: Pick<HttpReply, 'bytes'>,
  options: ReadOptions,
  mark: Mark = noMark,
): AsyncGenerator<ModelEvent> {
  const { failures } = options;
  const body = await readWhole(reply, options);
  if (typeof body !== 'string') return yield body;
  const chunk = readChunk(body);
  if (chunk === null) return yield failures.unreadable('is no JSON object', body);
  if (chunk.error !== null) return yield failures.error(chunk.error);
  if (!chunk.hasChoice) return yield failures.unreadable('holds no choice', body);
  const reasoning = collectReasoning(mark);
  reasoning.take(chunk);
  yield* pieces(chunk);
  yield endOf(chunk.finishReason ?? 'stop', { usage: chunk.usage, reasoning, failures });
}

function* pieces(chunk: Chunk): Generator<ModelEvent> {
  if (chunk.reasoning !== '') yield { type: 'reasoning', text: chunk.reasoning };
  if (chunk.text !== '') yield { type: 'text', text: chunk.text };
  yield* chunk.calls;
}

function endOf(
  finishReason: string,
  {
    usage,
    reasoning,
    failures,
  }: { readonly usage: Chunk['usage']; readonly reasoning: Reasoning; readonly failures: Failures },
): ModelEvent {
  const finish = finishOf(finishReason);
  if (finish === null) return failures.endMark('finish_reason', finishReason);
  const providerData = reasoning.data();
  return { type: 'end', finish, usage, ...(providerData === undefined ? {} : { providerData }) };
}
