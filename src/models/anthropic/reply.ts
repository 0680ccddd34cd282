/** One reply, from the first event of the API to the end: pieces for the loop, and what is given back with its message. */
import type { ModelEnd, ModelEvent, ModelFailed } from '../../core/model.ts';
import type { ReadOptions } from '../http/exchange.ts';
import type { Failures } from '../http/failures.ts';
import { type Progress, readStream, readWhole } from '../http/reading.ts';
import type { HttpReply } from '../http/send.ts';
import { createBlocks } from './blocks.ts';
import { thinkingToData } from './thinking.ts';
import { finishOf, readEvent, readMessage, type UsageParts, type WireEvent } from './wire.ts';

const limits = Object.freeze({
  blocks: 4_096, // of one reply
  keptLength: 4 * 1024 * 1024, // of thinking and its signatures, in UTF-16 code units; text has limits of its own in the loop
  stopGraceMs: 1_000, // from the stop reason to the end mark or the close
  closeGraceMs: 250, // from the end mark to the close: a connection that is read to its end can be used again
});

interface About {
  readonly failures: Failures;
  readonly model: string;
}

export function readReply(
  reply: Pick<HttpReply, 'bytes'>,
  options: ReadOptions,
  { model, streams }: { readonly model: string; readonly streams: boolean },
): AsyncIterable<ModelEvent> {
  const about = { failures: options.failures, model };
  return streams ? readStream(reply, options, createProgress(about)) : readDocument(reply, options, about);
}

async function* readDocument(
  reply: Pick<HttpReply, 'bytes'>,
  options: ReadOptions,
  about: About,
): AsyncGenerator<ModelEvent> {
  const body = await readWhole(reply, options);
  if (typeof body !== 'string') return yield body;
  const events = readMessage(body);
  if (events === null) return yield about.failures.unreadable('is no message', body);
  const fold = createFold(about);
  for (const event of events)
    for (const piece of fold.take(event)) {
      yield piece;
      if (piece.type === 'failed') return;
    }
  yield fold.end(null);
}

function createProgress(about: About): Progress {
  const fold = createFold(about);
  let failed = false;

  function* take(data: string): Generator<ModelEvent> {
    const event = readEvent(data);
    const pieces =
      event === null ? [about.failures.unreadable('has an event that is no JSON object', data)] : fold.take(event);
    for (const piece of pieces) {
      failed ||= piece.type === 'failed';
      yield piece;
    }
  }

  return {
    take,
    graceMs: fold.graceMs,
    *last(rest, broken) {
      // Half an event is no defect of its own: the stream broke off, and `end` says that.
      for (const data of rest.filter((data) => readEvent(data) !== null)) yield* take(data);
      if (!failed) yield fold.end(broken);
    },
  };
}

interface Fold {
  take(event: WireEvent): readonly ModelEvent[];
  graceMs(): number | undefined;
  end(broken: ModelFailed | null): ModelEnd | ModelFailed;
}

function createFold({ failures, model }: About): Fold {
  const blocks = createBlocks();
  let usage: UsageParts = {};
  let stopReason: string | null = null;
  let isOver = false;
  // A stop reason was no end: only the end mark, or a clean close, is.
  let wentOn = false;

  return {
    take(event) {
      if (isOver) return [];
      if (blocks.kept() > limits.keptLength) return [failures.unreadable('has more than 4 MB of thinking')];
      wentOn ||= stopReason !== null && (event.type === 'start' || event.type === 'delta');
      switch (event.type) {
        case 'message':
          usage = { ...usage, ...event.usage };
          stopReason = event.stopReason ?? stopReason;
          return stopReason === null ? [] : blocks.stop();
        case 'start':
          if (blocks.count() >= limits.blocks) return [failures.unreadable(`has more than ${limits.blocks} blocks`)];
          return blocks.start(event.index, event.block);
        case 'delta':
          return blocks.add(event.index, event.delta);
        case 'stop':
          return blocks.stop();
        case 'over':
          isOver = true;
          return blocks.stop();
        case 'error':
          return [failures.error(event.error)];
        case 'other':
          return [];
      }
    },
    graceMs() {
      if (isOver) return limits.closeGraceMs;
      return stopReason === null || wentOn ? undefined : limits.stopGraceMs;
    },
    end(broken) {
      const isCut = !isOver && (stopReason === null || (wentOn && broken !== null));
      if (isCut) return broken ?? failures.brokeOff('it was closed without an end mark');
      if (stopReason === null && blocks.count() === 0) return failures.brokeOff('its end mark came before any content');
      const finish = finishOf(stopReason ?? 'end_turn');
      if (finish === null) return failures.endMark('stop_reason', stopReason ?? '');
      const providerData = thinkingToData(model, blocks.thinking());
      return { type: 'end', finish, usage: countOf(usage), ...(providerData === undefined ? {} : { providerData }) };
    },
  };
}

/** What came from the cache or went into it is input all the same. */
function countOf({ input, cacheCreation = 0, cacheRead, output }: UsageParts): ModelEnd['usage'] {
  if (input === undefined || output === undefined) return null;
  const cached = cacheRead === undefined ? {} : { cachedInputTokens: cacheRead };
  return { inputTokens: input + cacheCreation + (cacheRead ?? 0), outputTokens: output, ...cached };
}
