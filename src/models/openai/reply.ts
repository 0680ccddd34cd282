/** Reads the bytes of one reply as model events: a stream of chunks, or one document. Never throws. */
import type { ModelEvent, ModelFailed } from '../../core/model.ts';
import type { ReadOptions } from '../http/exchange.ts';
import type { Failures } from '../http/failures.ts';
import { type Progress, readStream as readEvents, readWhole } from '../http/reading.ts';
import type { HttpReply } from '../http/send.ts';
import { type Chunk, finishOf, readChunk } from './chunk.ts';
import { collectReasoning, type Mark, type Reasoning } from './reasoning.ts';

const limits = Object.freeze({
  usageGraceMs: 1_000, // from finish_reason to [DONE] or the close: usage may come between them
  doubtGraceMs: 10_000, // the same, where the finish_reason came with content: some servers say it in every chunk
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
  const ending = createEnding();
  let usage: Chunk['usage'] = null;
  let failed = false;

  function* take(data: string): Generator<ModelEvent> {
    if (ending.isDone()) return;
    if (isDone(data)) return ending.done();
    const chunk = readChunk(data);
    const wrong = chunk === null ? failures.unreadable('has an event that is no JSON object', data) : wrongIn(chunk);
    failed = wrong !== null;
    if (wrong !== null) yield wrong;
    if (chunk === null || wrong !== null) return;
    usage = chunk.usage ?? usage;
    ending.take(chunk);
    yield* pieces(chunk);
  }

  function wrongIn(chunk: Chunk): ModelFailed | null {
    if (chunk.error !== null) return failures.error(chunk.error);
    return reasoning.take(chunk) ? null : failures.unreadable(tooMuchKept);
  }

  function end(broken: ModelFailed | null): ModelEvent {
    const word = ending.word(broken !== null);
    if (word !== null) return endOf(word, { usage, reasoning, failures });
    if (!ending.isDone()) return broken ?? failures.brokeOff('it was closed without an end mark');
    return failures.brokeOff('its end mark came before any text');
  }

  return {
    take,
    graceMs: ending.graceMs,
    *last(rest, broken) {
      // Half an event is no defect of its own: the stream broke off, and `end` says that.
      for (const data of rest.filter((data) => isDone(data) || readChunk(data) !== null)) yield* take(data);
      if (!failed) yield end(broken);
    },
  };
}

/** Whether and how a stream has ended. Some servers say a finish_reason in every chunk: then only [DONE], or a clean close, ends. */
function createEnding() {
  let finishReason: string | null = null;
  let hasContent = false;
  let finishedWithContent = false;
  let wentOn = false;
  let done = false;
  return {
    take(chunk: Chunk): void {
      const says = chunk.text !== '' || chunk.calls.length > 0;
      wentOn ||= says && finishReason !== null;
      finishedWithContent ||= says && chunk.finishReason !== null;
      hasContent ||= says;
      finishReason = chunk.finishReason ?? finishReason;
    },
    done(): void {
      done = true;
    },
    isDone: () => done,
    graceMs(): number | undefined {
      if (done) return limits.closeGraceMs;
      if (finishReason === null || wentOn) return undefined;
      return finishedWithContent ? limits.doubtGraceMs : limits.usageGraceMs;
    },
    /** The server's own word for the end, null where there was none; `broken`: the bytes stopped with an error. */
    word(broken: boolean): string | null {
      if (done) return finishReason ?? (hasContent ? 'stop' : null);
      return wentOn && broken ? null : finishReason;
    },
  };
}

const tooMuchKept = 'has more than 4 MB of reasoning';

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
  if (!reasoning.take(chunk)) return yield failures.unreadable(tooMuchKept);
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
