/**
 * Reads one reply of a model: feeds the scanner with what the stream brings, and reports to the machine what the scanner
 * met. It guards the Model port: whatever an adapter does, one reply gives one end, within its times and its size.
 */

import { startWithin, tokensOfUnits, tokenUnits, unitsOfTokens } from '../context/tokens.ts';
import type { ReactEvent } from '../core/events.ts';
import { messageOf } from '../core/message-of.ts';
import type { CallPiece, ModelEnd, ModelEvent, ModelFailed } from '../core/model.ts';
import { readModelEvent } from '../core/model-event.ts';
import type { Mark, Stop } from '../core/reading.ts';
import { noTokens, type TokenCount } from '../core/usage.ts';
import { type LazyAbort, lazyAbort, withSignal } from './lazy-abort.ts';
import { pullStream } from './pull.ts';
import { held, partialOf } from './read-as.ts';
import { withReasoning } from './reasoning.ts';
import type { CutShort, ReplyOptions } from './reply-options.ts';

export interface Reply {
  /** Tokens so far. */
  tokens(): TokenCount;
  /** Where it was left before its end: the beginning of its answer, or its thought. */
  partial(): string | null;
  /** Leaves the reply: the request is aborted unless it has ended, and nothing of it is reported any more. */
  cancel(): void;
}

/** A reply that is being read. */
interface Open {
  readonly options: ReplyOptions;
  readonly abort: LazyAbort;
  /** Each kind of stop is reported once. */
  readonly told: Set<Stop>;
  /** How often the model has passed the request on. */
  named: number;
  /** What was read as text so far, and what the provider keeps apart from it. */
  text: string;
  apart: string;
  /** Quarter tokens, by our own count. */
  units: number;
  /** What the provider counted, once it has said so. */
  counted: TokenCount | null;
  ended: boolean;
  partial: string | null;
  stop: () => void;
}

export function readReply(options: ReplyOptions): Reply {
  const { model, request, timeouts } = options;
  const abort = lazyAbort();
  const reply: Open = {
    options,
    abort,
    told: new Set(),
    named: 0,
    text: '',
    apart: '',
    units: 0,
    counted: null,
    ended: false,
    partial: null,
    stop: () => {},
  };
  const stop = pullStream<unknown>({
    open: () => model.generate(withSignal(request, abort)),
    clock: options.clock,
    giveWay: options.giveWay,
    firstMs: timeouts.firstTokenMs,
    totalMs: timeouts.modelCallMs,
    shortestMs: Math.min(timeouts.firstTokenMs, timeouts.betweenTokensMs, timeouts.modelCallMs),
    onValue(yielded) {
      const event = readModelEvent(yielded);
      take(reply, event);
      // Whoever is asked next has the time of a first token.
      return event?.type === 'model' ? timeouts.firstTokenMs : timeouts.betweenTokensMs;
    },
    onEnd: () =>
      fail(reply, again('broke_off', `The reply of ${model.provider} stopped without an end mark.`, brokeOffHint)),
    onThrown: (thrown) => breach(reply, `threw: ${messageOf(thrown)}`),
    onLate: () => fail(reply, again('timeout', `${model.provider} sent nothing for too long.`, lateHint)),
  });
  reply.stop = stop;
  if (reply.ended) stop();
  return {
    tokens: () => tokensOf(reply),
    partial: () => reply.partial,
    cancel: () => {
      if (reply.ended) return;
      abort.abort('The reply is no longer wanted.');
      reply.partial = partialOf(options.scanner.end().reading);
      leave(reply);
    },
  };
}

const brokeOffHint = 'The connection was probably lost: run again.';
const lateHint =
  'Raise firstTokenMs, betweenTokensMs or modelCallMs in the timeouts of createAgent, or look at the server.';
const breachHint = 'This is a defect of the adapter, not of the model.';

function again(failure: ModelFailed['failure'], message: string, hint: string): ModelFailed {
  return { type: 'failed', failure, message, hint, retry: { afterMs: null } };
}

/** Each is told in the trace, and costs no token. */
const mostNamed = 100;

function take(reply: Open, event: ModelEvent | null): void {
  switch (event?.type) {
    case 'text':
      return takeText(reply, event.text);
    case 'reasoning':
      return takeReasoning(reply, event.text);
    case 'call':
      return takeCall(reply, event);
    case 'model':
      if (++reply.named > mostNamed) return breach(reply, `passed the request on more than ${mostNamed} times`);
      return reply.options.onModel(event);
    case 'end':
      return takeEnd(reply, event);
    case 'failed':
      return fail(reply, event);
    default:
      return breach(reply, 'yielded something that is not a model event');
  }
}

/** No more is read than fits, however large the piece is in which it came. */
function takeText(reply: Open, text: string): void {
  const { scanner, onDelta, mostTokens } = reply.options;
  const room = unitsOfTokens(mostTokens) - reply.units;
  const cost = tokenUnits(text);
  const fitting = cost <= room ? text : startWithin(text, room);
  reply.units += Math.min(cost, room);
  reply.text += fitting;
  if (fitting !== '') onDelta(fitting);
  report(reply, scanner.feed(fitting));
  if (!reply.ended && cost > room) cutShort(reply, 'too_long');
}

/** Thinking that the provider keeps apart is charged like text, and never read as a step. */
function takeReasoning(reply: Open, text: string): void {
  const most = unitsOfTokens(reply.options.mostTokens);
  reply.apart += startWithin(text, most - reply.units);
  reply.units = Math.min(most, reply.units + tokenUnits(text));
  if (reply.units >= most) cutShort(reply, 'too_long');
}

/** Pieces of the provider's own calls: charged by every dialect, empty ones too, so that an endless stream of them ends. */
function takeCall(reply: Open, piece: CallPiece): void {
  const { scanner, mostTokens } = reply.options;
  const most = unitsOfTokens(mostTokens);
  reply.units = Math.min(most, reply.units + Math.max(1, tokenUnits(piece.tool + piece.input)));
  if (reply.units >= most) return cutShort(reply, 'too_long');
  scanner.takeCall?.(piece);
}

function takeEnd(reply: Open, { finish, usage, providerData }: ModelEnd): void {
  const { scanner } = reply.options;
  if (usage !== null) reply.counted = { ...usage, estimated: false };
  if (finish === 'length') return cutShort(reply, 'truncated');
  if (finish === 'content_filter') return end(reply, { type: 'reply.filtered', ...placeOf(reply) });
  const { marks, reading } = scanner.end();
  report(reply, marks);
  if (reply.ended) return;
  const data = providerData === undefined ? {} : { providerData };
  const event = { type: 'reply.ended', text: scanner.kept(), ...placeOf(reply), ...held(reading), ...data } as const;
  end(reply, withReasoning(event, reply));
}

/** The machine may leave the reply at any stop. */
function report(reply: Open, marks: readonly Mark[]): void {
  for (const { stop, thought, calls } of marks) {
    if (reply.ended || reply.told.has(stop)) continue;
    reply.told.add(stop);
    const isLeft = calls.length > 0;
    const text = isLeft ? reply.options.scanner.kept() : '';
    const left = isLeft ? { savedTokens: roomIn(reply) } : {};
    const event = { type: 'reply.stopped', stop, thought, calls, text, ...placeOf(reply), ...left } as const;
    reply.options.send(isLeft ? withReasoning(event, reply) : event);
  }
}

/** Of what the server was asked for. */
function roomIn({ options, units }: Open): number {
  return Math.max(0, options.request.maxOutputTokens - tokensOfUnits(units));
}

function cutShort(reply: Open, violation: CutShort): void {
  reply.abort.abort('The reply is too long.');
  const { cutHint, cutText, scanner } = reply.options;
  const { reading } = scanner.end();
  const text = cutText(scanner.kept());
  const read = { thought: reading.thought, partial: partialOf(reading), violation, hint: cutHint(violation), text };
  end(reply, withReasoning({ type: 'reply.truncated', ...placeOf(reply), ...read }, reply));
}

function fail(reply: Open, failed: ModelFailed): void {
  const { failure, message, hint, retry } = failed;
  const { nowMs, backOffMs } = reply.options;
  reply.abort.abort(message);
  const again = retry === undefined ? {} : { retryAtMs: nowMs() + (retry.afterMs ?? backOffMs()) };
  const tokens = wasNotBegun(reply, failure) ? noTokens : tokensOf(reply);
  end(reply, { type: 'reply.failed', ...placeOf(reply), tokens, failure, message, hint, ...again });
}

/** No provider charges for what it refused, or never got. */
function wasNotBegun({ units, counted }: Open, failure: ModelFailed['failure']): boolean {
  return units === 0 && counted === null && ['connection', 'rate_limited', 'refused'].includes(failure);
}

function breach(reply: Open, what: string): void {
  const message = `The model adapter ${reply.options.model.provider} ${what}.`;
  fail(reply, { type: 'failed', failure: 'contract', message, hint: breachHint });
}

/** The last event of the reply. */
function end(reply: Open, event: ReactEvent): void {
  leave(reply);
  reply.options.send(event);
}

function leave(reply: Open): void {
  reply.ended = true;
  reply.stop();
}

type ReplyPlace = Pick<Extract<ReactEvent, { type: 'reply.filtered' }>, 'step' | 'attempt' | 'atMs' | 'tokens'>;

function placeOf(reply: Open): ReplyPlace {
  const { request, nowMs } = reply.options;
  return { ...ofTry(request), step: request.step, atMs: nowMs(), tokens: tokensOf(reply) };
}

/** Events name the try where it is not the first. */
export function ofTry({ attempt }: { readonly attempt: number }): { readonly attempt?: number } {
  return attempt === 1 ? {} : { attempt };
}

function tokensOf({ counted, units, options }: Open): TokenCount {
  if (counted !== null) return counted;
  return { inputTokens: options.promptTokens, outputTokens: tokensOfUnits(units), estimated: true };
}
