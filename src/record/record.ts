/** `record`: a model whose exchanges are written to a file, for `replay`. It changes nothing of what passes. */
import type { Clock } from '../core/clock.ts';
import { AgentError } from '../core/errors.ts';
import { messageOf } from '../core/message-of.ts';
import type { Model, ModelEvent, ModelRequest } from '../core/model.ts';
import type { Redaction, Redactor } from '../core/redact.ts';
import { readSecrets } from '../shell/secrets.ts';
import { systemClock } from '../shell/system-clock.ts';
import { unheeded } from '../shell/within.ts';
import { type AppendLines, appendLines } from './append-lines.ts';
import {
  type Exchange,
  type ExchangeEnd,
  isModelEvent,
  recordingFormat,
  requestOf,
  type TimedEvent,
} from './recording.ts';
import { redactExchange } from './redact-exchange.ts';

export interface RecordOptions {
  /** What is replaced by `[redacted]`, as `createAgent` has it; `replay` must be given the same. Credentials always are. */
  readonly redact?: Redaction;
  /** Told once, where the file cannot be written. The run goes on. */
  readonly onError?: (error: AgentError) => unknown;
  /** For the time at which each piece came. Default: the clock of the machine. */
  readonly clock?: Pick<Clock, 'monotonicMs'>;
}

export interface RecordingModel extends Model {
  /**
   * Settles when all is written. Rejects with AgentError where the file is not complete. An exchange that is not over is left
   * out, and so is one that ends later. The model that was given is not closed.
   */
  close(): Promise<void>;
}

/**
 * A model like the given one: the same events at the same time, the same signal, the same end. Each exchange is added to the
 * file (`fuseloop.recording/1`, one JSON object a line) when it is over, in one write; any number of runs may go on at once. A
 * torn last line is taken off, and a file that holds something else is left alone. Throws AgentError (`invalid_option`) for a
 * `redact` that cannot be used; the file is opened with the first exchange, and what is wrong with it never changes a run.
 */
export function record(model: Model, file: string, options: RecordOptions = {}): RecordingModel {
  const { onError, clock = systemClock } = options;
  const redactor = readSecrets(options.redact);
  const told = (cause: Error) => recordingError(file, cause, redactor);
  const lines = appendLines(file, isRecording, (cause) => {
    if (onError !== undefined) unheeded(() => onError(told(cause)));
  });
  return {
    provider: model.provider,
    name: model.name,
    generate: (request) => watched(model, request, { lines, redactor, clock }),
    async close() {
      const cause = await lines.close();
      if (cause !== null) throw told(cause);
    },
  };
}

function isRecording(line: string): boolean {
  return line.startsWith(`{"format":${JSON.stringify(recordingFormat)}`);
}

function recordingError(file: string, cause: Error, { text }: Redactor): AgentError {
  return new AgentError('invalid_option', text(`The recording ${file} is not complete: ${messageOf(cause)}.`), {
    hint: 'The folder must exist, and the file must be a recording, or not be there yet. What was recorded before is kept.',
    cause,
  });
}

interface Watching {
  readonly lines: AppendLines;
  readonly redactor: Redactor;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** The stream of the model, written out by hand: `return()` must reach it at once, also while an event is awaited. */
function watched(model: Model, request: ModelRequest, { lines, redactor, clock }: Watching): AsyncIterable<ModelEvent> {
  const startMs = clock.monotonicMs();
  const events: TimedEvent[] = [];
  let isOver = false;
  const over = (ended: ExchangeEnd, why = '') => {
    if (isOver) return;
    isOver = true;
    const { provider, name } = model;
    const exchange: Exchange = {
      format: recordingFormat,
      provider,
      name,
      request: requestOf(request),
      events,
      ended,
      why,
    };
    lines.write(JSON.stringify(redactExchange(exchange, redactor)));
  };
  const note = (event: unknown) => {
    if (isOver) return;
    if (!isModelEvent(event)) return over('threw', notAnEvent);
    events.push({ ms: Math.round(clock.monotonicMs() - startMs), event });
    if (event.type === 'end' || event.type === 'failed') over(event.type);
  };
  const threw = (thrown: unknown) => {
    over('threw', messageOf(thrown));
    return thrown;
  };
  return {
    [Symbol.asyncIterator]() {
      const stream = attempt(() => model.generate(request)[Symbol.asyncIterator](), threw);
      return {
        next: () =>
          Promise.resolve(attempt(() => stream.next(), threw)).then(
            (result) => {
              if (result.done === true) over('broke_off');
              else note(result.value);
              return result;
            },
            (thrown: unknown) => Promise.reject(threw(thrown)),
          ),
        return(value?: unknown) {
          if (!isOver) over('left', reasonOf(request.signal));
          return stream.return?.(value) ?? Promise.resolve({ done: true, value: undefined });
        },
      };
    },
  };
}

const notAnEvent = 'yielded something that is not a model event';

function attempt<Value>(work: () => Value, threw: (thrown: unknown) => unknown): Value {
  try {
    return work();
  } catch (thrown) {
    throw threw(thrown);
  }
}

function reasonOf({ aborted, reason }: AbortSignal): string {
  return aborted ? messageOf(reason) : '';
}
