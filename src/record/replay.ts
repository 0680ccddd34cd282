/** `replay`: a model that answers from a recording. It does no I/O but to read the file once. */
import type { Clock } from '../core/clock.ts';
import type { Model, ModelEvent, ModelFailed } from '../core/model.ts';
import type { Redaction } from '../core/redact.ts';
import { readSecrets } from '../shell/secrets.ts';
import { systemClock } from '../shell/system-clock.ts';
import { callable, checkOptions, clockWith, flag, type Kind, oneOf, redaction } from './check-options.ts';
import { pathOf } from './file-path.ts';
import { type Beat, pacedStream, silence } from './paced-stream.ts';
import { readRecording } from './read-recording.ts';
import { type Exchange, type RecordedRequest, requestKey, requestOf, type TimedEvent } from './recording.ts';
import { redactRequest } from './redact-exchange.ts';
import { nearestRequest, requestDifference } from './request-difference.ts';

/** A request that is not the one that was recorded in its place. */
export interface RequestDifference {
  /** The number of the step that asks, from 1. */
  readonly step: number;
  /** The first difference, in plain words. */
  readonly difference: string;
}

export interface ReplayOptions {
  /** As it was when the recording was made: requests are compared without secrets. */
  readonly redact?: Redaction;
  /**
   * Whether a request that was not recorded fails (default). With false the replies come by the number of the step, in the
   * order in which they were recorded, and what differs is told to `onDifference`.
   */
  readonly strict?: boolean;
  readonly onDifference?: (difference: RequestDifference) => void;
  /** What an equal request gets once its recorded replies are used up: a failure (default), or the last of them again. */
  readonly whenUsedUp?: 'fail' | 'last';
  /**
   * `at once` (default), or as `recorded`: each piece as long after the request as it came, and silence behind what the loop
   * left in its middle. At once, a failure that may be tried again may be so at once, however long the server asked to wait.
   */
  readonly pace?: 'at once' | 'recorded';
  /** For `pace`. Default: the clock of the machine. */
  readonly clock?: Pick<Clock, 'setTimer'>;
}

/**
 * Equal requests get the recorded replies: the n-th equal request the n-th of them. A request is what is asked for (messages,
 * tools, stop, maxOutputTokens, temperature, json), without its secrets. One that was not recorded is `failed` (`refused`), and the message
 * names the nearest recorded one and the first difference.
 *
 * Throws AgentError (`invalid_option`) for options that cannot be used, and for a file that is no recording, is damaged, or of a
 * newer version; it names the line. A torn last line is left out.
 */
export function replay(file: string | URL, options: ReplayOptions = {}): Model {
  checkOptions('replay', options, kinds);
  const { strict = true, whenUsedUp = 'fail', pace = 'at once', clock = systemClock } = options;
  const redactor = readSecrets(options.redact);
  const path = pathOf('replay', file);
  const exchanges = readRecording(path);
  const book = strict ? strictBook(exchanges, path, whenUsedUp) : looseBook(exchanges, path, options.onDifference);
  const [first] = exchanges;
  return {
    provider: first?.provider ?? 'recording',
    name: first?.name ?? path,
    generate(request) {
      const found = book(redactRequest(requestOf(request), redactor));
      const paced = pace === 'recorded' ? { clock, signal: () => request.signal } : null;
      const beats = 'type' in found ? [{ ms: 0, event: found }] : beatsOf(found, path, paced !== null);
      return pacedStream(beats, paced);
    },
  };
}

const kinds: ReadonlyMap<keyof ReplayOptions, Kind> = new Map([
  ['redact', redaction],
  ['strict', flag],
  ['onDifference', callable],
  ['whenUsedUp', oneOf('fail', 'last')],
  ['pace', oneOf('at once', 'recorded')],
  ['clock', clockWith('setTimer')],
]);

/** The exchange for a request, or why there is none. */
type Book = (request: RecordedRequest) => Exchange | ModelFailed;

function strictBook(exchanges: readonly Exchange[], file: string, whenUsedUp: 'fail' | 'last'): Book {
  const byKey = new Map<string, { readonly replies: Exchange[]; used: number }>();
  for (const exchange of exchanges) {
    const key = requestKey(exchange.request);
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, { replies: [exchange], used: 0 });
    else known.replies.push(exchange);
  }
  return (request) => {
    const known = byKey.get(requestKey(request));
    if (known === undefined) return notRecorded(request, exchanges, file);
    const next = known.replies[known.used++] ?? (whenUsedUp === 'last' ? known.replies.at(-1) : undefined);
    return next ?? usedUp(request, known.replies.length, file);
  };
}

function looseBook(
  exchanges: readonly Exchange[],
  file: string,
  onDifference: ReplayOptions['onDifference'] = () => {},
): Book {
  const left = [...exchanges];
  return (request) => {
    const at = left.findIndex(({ request: { step } }) => step === request.step);
    const [next] = at === -1 ? [] : left.splice(at, 1);
    const difference =
      next === undefined ? 'no reply to this step is left in the recording' : requestDifference(next.request, request);
    if (difference !== null) onDifference({ step: request.step, difference });
    return next ?? usedUp(request, 0, file);
  };
}

function notRecorded(request: RecordedRequest, exchanges: readonly Exchange[], file: string): ModelFailed {
  const nearest = nearestRequest(request, exchanges);
  const nearestWords =
    nearest === null
      ? ''
      : ` The nearest is exchange ${nearest.number} (step ${nearest.step}), and ${nearest.difference}.`;
  return refused(
    `The request of step ${request.step} is not in the recording ${file}.${nearestWords}`,
    'Where the change is meant, record anew; where it is not, undo it. With strict: false the replies come in the order of the steps.',
  );
}

function usedUp({ step }: RecordedRequest, count: number, file: string): ModelFailed {
  const held = count === 0 ? 'no reply that is left' : `${count} ${count === 1 ? 'reply' : 'replies'}, used up by now,`;
  return refused(
    `The recording ${file} holds ${held} for the request of step ${step}.`,
    "Record anew; or whenUsedUp: 'last' gives the last one again. Each model that replay makes begins at the first.",
  );
}

function refused(message: string, hint: string): ModelFailed {
  return { type: 'failed', failure: 'refused', message, hint };
}

/**
 * What was left in its middle, or broke the contract, has no end of its own. Where that is reached it is `failed`; at the
 * recorded pace what was left is silent, as it was when the loop had waited long enough.
 */
function beatsOf({ events, ended, why }: Exchange, file: string, isPaced: boolean): readonly Beat[] {
  const ms = events.at(-1)?.ms ?? 0;
  const beats = isPaced ? events : events.map(withoutWait);
  if (ended === 'left') return [...beats, { ms, event: isPaced ? silence : cutOff(file, why) }];
  return ended === 'threw' ? [...beats, { ms, event: broken(why) }] : beats;
}

function withoutWait({ ms, event }: TimedEvent): TimedEvent {
  const mayBeTriedAgain = event.type === 'failed' && event.retry !== undefined;
  return { ms, event: mayBeTriedAgain ? { ...event, retry: { afterMs: 0 } } : event };
}

function cutOff(file: string, why: string): ModelEvent {
  return {
    type: 'failed',
    failure: 'broke_off',
    message: `The recording ${file} has no more of this reply: it was left here${why === '' ? '' : `, because ${JSON.stringify(why)}`}.`,
    hint: 'The loop that recorded it wanted no more, and this one does: record anew.',
  };
}

function broken(why: string): ModelEvent {
  return {
    type: 'failed',
    failure: 'contract',
    message: `The recorded adapter broke its contract: ${why}.`,
    hint: 'This was a defect of the adapter. Record anew once it is mended.',
  };
}
