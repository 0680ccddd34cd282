/**
 * A model that answers from a list: for tests, demonstrations and benchmarks. It does no I/O and reads the clock only
 * through `options.clock`. Nothing is kept outside the returned object.
 */
import type { Clock } from '../core/clock.ts';
import { AgentError } from '../core/errors.ts';
import type { JsonValue } from '../core/json.ts';
import { messageOf } from '../core/message-of.ts';
import type { FinishReason, Model, ModelEvent, ModelFailed, ModelRequest } from '../core/model.ts';
import type { TokenCount } from '../core/usage.ts';

/** One reply in full. What is left out is not sent: `{ hang: true }` alone never says anything. */
export interface ScriptedReply {
  readonly text?: string;
  /** The pieces in which the text arrives; they take the place of `text` and of `chunkSize`. */
  readonly chunks?: readonly string[];
  /** Sent before the text, in one piece. */
  readonly reasoning?: string;
  /** Calls in the provider's own form, for the dialect `native`; sent behind the text. */
  readonly calls?: readonly ScriptedCall[];
  /** Milliseconds before the first event, and before each later one. */
  readonly delayMs?: number;
  readonly betweenMs?: number;
  /** Default `stop`. */
  readonly finish?: Exclude<FinishReason, 'cut'>;
  /** Default null: none reported. */
  readonly usage?: Omit<TokenCount, 'estimated'> | null;
  /** After the text the reply fails with this instead of ending. */
  readonly failure?: Omit<ModelFailed, 'type' | 'hint'> & { readonly hint?: string };
  /** Given back with the message that the reply becomes. */
  readonly providerData?: JsonValue;
  /** After the text nothing comes any more: neither the signal nor `return()` settles it. A breach, on purpose. */
  readonly hang?: true;
}

export interface ScriptedCall {
  readonly tool: string;
  /** A value, which is sent as its JSON. Default `{}`. */
  readonly input?: JsonValue;
  /** Sent in place of `input`, as it is: for input that is no JSON. */
  readonly inputText?: string;
  /** Default: none is sent. */
  readonly id?: string;
}

/** A reply, or a function that makes one from the request, such as from the last observation in it. */
export type ScriptEntry = string | ScriptedReply | ((request: ModelRequest) => string | ScriptedReply);

export interface ScriptedOptions {
  /** Default `script`. */
  readonly name?: string;
  /** Texts are cut into pieces of so many UTF-16 code units, also inside a character. Default: one piece. */
  readonly chunkSize?: number;
  /** Used for delays only. Default: `setTimeout`. */
  readonly clock?: Pick<Clock, 'setTimer'>;
}

/** A request as it was made, but for `signal`: reading that would create an AbortController. */
export type RecordedRequest = Omit<ModelRequest, 'signal'>;

export interface ScriptedModel extends Model {
  /** Every request so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
}

/** Gives the replies one after another, one a call of `generate`. A call past the last is `failed` (`refused`). */
export function scriptedModel(replies: readonly ScriptEntry[], options: ScriptedOptions = {}): ScriptedModel {
  const { name = 'script', chunkSize = Number.POSITIVE_INFINITY, clock = realTimers } = options;
  if (!(chunkSize >= 1))
    throw new AgentError('invalid_option', `chunkSize is ${chunkSize}.`, { hint: 'chunkSize is at least 1.' });
  const requests: RecordedRequest[] = [];
  return {
    provider: 'scripted',
    name,
    requests,
    generate(request) {
      const { messages, tools, stop, maxOutputTokens, temperature, step, attempt, json } = request;
      const entry = replies[requests.length] ?? exhausted(replies.length);
      const asked = { messages, ...(tools && { tools }), ...(json && { json }), stop, maxOutputTokens, temperature };
      requests.push({ ...asked, step, attempt });
      const reply = typeof entry === 'function' ? answerOf(entry, request) : entry;
      if (typeof reply === 'string' && reply.length <= chunkSize) return playAtOnce(reply);
      return play(beatsOf(typeof reply === 'string' ? { text: reply } : reply, chunkSize), request, clock);
    },
  };
}

const realTimers: Pick<Clock, 'setTimer'> = {
  setTimer(delayMs, fire) {
    const timer = setTimeout(fire, delayMs);
    return () => clearTimeout(timer);
  },
};

function exhausted(count: number): ScriptedReply {
  const message = `The script has only ${count} ${count === 1 ? 'reply' : 'replies'}, and one more was asked for.`;
  return {
    failure: { failure: 'refused', message, hint: 'Add a reply to the script, or let its last reply end the run.' },
  };
}

function answerOf(
  answer: (request: ModelRequest) => string | ScriptedReply,
  request: ModelRequest,
): string | ScriptedReply {
  try {
    return answer(request);
  } catch (thrown) {
    const message = `The script's function threw: ${messageOf(thrown)}`;
    return {
      failure: { failure: 'contract', message, hint: 'A function in a script returns a reply and does not throw.' },
    };
  }
}

const wellEnded: ModelEvent = Object.freeze({ type: 'end', finish: 'stop', usage: null });

/** The common case, kept apart because benchmarks of the loop run through it: no timer, no signal, no list. */
function playAtOnce(text: string): AsyncIterableIterator<ModelEvent> {
  let next = 0;
  return {
    next() {
      next++;
      if (next === 1) return Promise.resolve({ done: false, value: { type: 'text', text } });
      return next === 2 ? Promise.resolve({ done: false, value: wellEnded }) : over();
    },
    return() {
      next = 2;
      return over();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

function over(): Promise<IteratorResult<ModelEvent>> {
  return Promise.resolve({ done: true, value: undefined });
}

/** An event and the pause before it; `hang` in its place is a pause without end. */
interface Beat {
  readonly afterMs: number;
  readonly event: ModelEvent | 'hang';
}

function beatsOf(reply: ScriptedReply, chunkSize: number): readonly Beat[] {
  const { delayMs = 0, betweenMs = 0 } = reply;
  const events: (ModelEvent | 'hang')[] = [];
  if (reply.reasoning !== undefined) events.push({ type: 'reasoning', text: reply.reasoning });
  for (const text of reply.chunks ?? cut(reply.text ?? '', chunkSize)) events.push({ type: 'text', text });
  for (const [index, call] of (reply.calls ?? []).entries()) events.push(...piecesOf(call, index, chunkSize));
  events.push(lastOf(reply));
  return events.map((event, index) => ({ afterMs: index === 0 ? delayMs : betweenMs, event }));
}

/** The name comes with the first piece, as most servers send it. */
function piecesOf(
  { tool, input = {}, inputText, id }: ScriptedCall,
  index: number,
  chunkSize: number,
): readonly ModelEvent[] {
  const [first = '', ...rest] = cut(inputText ?? JSON.stringify(input), chunkSize);
  return [
    { type: 'call', index, id: id ?? null, tool, input: first },
    ...rest.map((piece): ModelEvent => ({ type: 'call', index, id: null, tool: '', input: piece })),
  ];
}

function lastOf(reply: ScriptedReply): ModelEvent | 'hang' {
  if (reply.hang) return 'hang';
  if (reply.failure !== undefined) return { type: 'failed', hint: 'The script says so.', ...reply.failure };
  const data = reply.providerData === undefined ? {} : { providerData: reply.providerData };
  return { type: 'end', finish: reply.finish ?? 'stop', usage: reply.usage ?? null, ...data };
}

function cut(text: string, size: number): readonly string[] {
  if (text.length <= size) return text === '' ? [] : [text];
  const whole = Math.floor(size);
  return Array.from({ length: Math.ceil(text.length / whole) }, (_, index) =>
    text.slice(index * whole, (index + 1) * whole),
  );
}

/**
 * Written out by hand because an async generator cannot be left in the middle of a pause: its `return()` waits for
 * the `next()` before it.
 */
function play(
  beats: readonly Beat[],
  request: ModelRequest,
  clock: Pick<Clock, 'setTimer'>,
): AsyncIterableIterator<ModelEvent> {
  let index = 0;
  let leave: () => void = () => {};
  return {
    next() {
      const beat = beats[index++];
      if (beat === undefined) return over();
      if (beat.event === 'hang') return never();
      if (beat.afterMs <= 0) return Promise.resolve({ done: false, value: beat.event });
      const pause = pauseBefore(beat.event, beat.afterMs, request.signal, clock);
      leave = pause.leave;
      return pause.result.then((result) => {
        if (result.value === aborted) index = beats.length;
        return result;
      });
    },
    return() {
      if (beats[index - 1]?.event === 'hang') return never();
      index = beats.length;
      leave();
      return over();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** A new promise each time: handlers put on a shared one would be kept for ever. */
function never(): Promise<IteratorResult<ModelEvent>> {
  return new Promise(() => {});
}

const aborted: ModelEvent = Object.freeze({
  type: 'failed',
  failure: 'aborted',
  message: 'The reply was aborted while the script paused.',
  hint: 'Nothing to do: whoever owns the signal no longer wanted the reply.',
});

/** Settles once: with the event when the time is over, with `aborted` on the signal, with nothing when left. */
function pauseBefore(event: ModelEvent, afterMs: number, signal: AbortSignal, clock: Pick<Clock, 'setTimer'>) {
  let settle: (result: IteratorResult<ModelEvent>) => void = () => {};
  const result = new Promise<IteratorResult<ModelEvent>>((resolve) => {
    const onAbort = () => settle({ done: false, value: aborted });
    const cancel = clock.setTimer(afterMs, () => settle({ done: false, value: event }));
    settle = (outcome) => {
      cancel();
      signal.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
  return { result, leave: () => settle({ done: true, value: undefined }) };
}
