/** Reads the bytes of one reply: the events of a stream, or one document. What they mean is the adapter's business. */
import type { ModelEvent, ModelFailed } from '../../core/model.ts';
import { beginningOf } from './beginning.ts';
import { textOf } from './body.ts';
import type { ReadOptions } from './exchange.ts';
import type { Failures } from './failures.ts';
import type { HttpReply } from './send.ts';
import { createSseReader, type SseReader } from './sse.ts';

const limits = Object.freeze({
  eventLength: 4 * 1024 * 1024, // UTF-16 code units of one server-sent event
  bodyBytes: 16 * 1024 * 1024, // a reply in one piece
});

/** What is known of a streamed reply so far. Nothing is taken any more after it yielded a `failed`. */
export interface Progress {
  /** The data of one event. */
  take(data: string): Iterable<ModelEvent>;
  /** How long to wait for more, or the close; undefined while the reply goes on. */
  graceMs(): number | undefined;
  /** `rest` is what stood at the end of a stream without its closing blank line; `broken` why the bytes stopped. */
  last(rest: readonly string[], broken: ModelFailed | null): Iterable<ModelEvent>;
}

export type Read = (reply: Pick<HttpReply, 'bytes'>) => AsyncIterable<ModelEvent>;

/**
 * Reads a stream as one and a document as one. What its first sign says counts for more than what its head says, and that for
 * more than what was asked for: some servers ignore `stream`, and some write errors as documents into a stream.
 */
export async function* readEither(
  reply: Pick<HttpReply, 'headers' | 'bytes'>,
  asked: boolean,
  { stream, document }: { readonly stream: Read; readonly document: Read },
): AsyncGenerator<ModelEvent> {
  const { sign, bytes } = await beginningOf(reply.bytes);
  const streams = sign === 'unclear' ? isStream(reply, asked) : sign === 'stream';
  yield* (streams ? stream : document)({ bytes });
}

function isStream({ headers }: Pick<HttpReply, 'headers'>, asked: boolean): boolean {
  const contentType = headers.get('content-type') ?? '';
  if (contentType.includes('event-stream')) return true;
  return asked && !/json|html/.test(contentType);
}

/**
 * Yields what `progress` makes of it, and throws nothing. A server that keeps the stream open after the end mark does not
 * hold the reply up: `leave` is called for it, once nothing more was said for a time.
 */
export async function* readStream(
  reply: Pick<HttpReply, 'bytes'>,
  options: ReadOptions,
  progress: Progress,
): AsyncGenerator<ModelEvent> {
  const sse = createSseReader(limits.eventLength);
  let grace: ReturnType<typeof setTimeout> | undefined;
  let broken: ModelFailed | null = null;
  try {
    for await (const bytes of reply.bytes) {
      const graceMs = progress.graceMs();
      let wentOn = false;
      for (const event of eventsOf(bytes, sse, progress, options.failures)) {
        yield event;
        if (event.type === 'failed') return;
        wentOn = true;
      }
      if (progress.graceMs() === graceMs && !wentOn) continue;
      clearTimeout(grace);
      const nextMs = progress.graceMs();
      grace = nextMs === undefined ? undefined : setTimeout(options.leave, nextMs);
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

/** The body of a reply in one piece, or why there is none. */
export async function readWhole(
  reply: Pick<HttpReply, 'bytes'>,
  { failures, onBreak }: ReadOptions,
): Promise<string | ModelFailed> {
  try {
    return (await textOf(reply.bytes, limits.bodyBytes)) ?? failures.unreadable('is above 16 MB');
  } catch (thrown) {
    return onBreak(thrown);
  }
}
