/** `record`: a model whose exchanges are written to a file, for `replay`. It changes nothing of what passes. */
import type { Clock } from '../core/clock.ts';
import { AgentError } from '../core/errors.ts';
import { isModel } from '../core/is-model.ts';
import { messageOf } from '../core/message-of.ts';
import type { Model, ModelEvent, ModelRequest } from '../core/model.ts';
import { readModelEvent } from '../core/model-event.ts';
import { recordingFormat } from '../core/recording-format.ts';
import type { Redaction, Redactor } from '../core/redact.ts';
import { closeAll, kindOf } from '../models/common/given-model.ts';
import { type AppendLines, appendLines } from '../observe/trace-append.ts';
import { readSecrets } from '../shell/secrets.ts';
import { systemClock } from '../shell/system-clock.ts';
import { unheeded } from '../shell/within.ts';
import { callable, checkOptions, clockWith, type Kind, redaction } from './check-options.ts';
import { pathToWrite } from './file-path.ts';
import { type Exchange, type ExchangeEnd, requestOf, type TimedEvent } from './recording.ts';
import { redactExchange } from './redact-exchange.ts';

export interface RecordOptions {
  /** What is replaced by `[redacted]`, as `createAgent` has it; `replay` must be given the same. Credentials always are. */
  readonly redact?: Redaction;
  /** Told once, where the file cannot be written. The run goes on. Default: a warning of the process. */
  readonly onError?: (error: AgentError) => unknown;
  /** For the time at which each piece came. Default: the clock of the machine. */
  readonly clock?: Pick<Clock, 'monotonicMs'>;
}

export interface RecordingModel extends Model {
  /**
   * Settles when all is written and the model that was given is closed, where it can be. Rejects with AgentError where the file
   * is not complete. An exchange that is not over is left out, and so is one that ends later.
   */
  close(): Promise<void>;
}

/**
 * A model like the given one: the same events at the same time, the same signal, the same end. Each exchange is added to the
 * file (`fuseloop.recording/1`, one JSON object a line) when it is over, in one write; any number of runs may go on at once. A
 * torn last line is taken off, and a file that holds something else is left alone.
 *
 * Throws AgentError (`invalid_option`) for what is no model, no file in a folder that is there, and options that cannot be used.
 * The file is opened with the first exchange, and what is wrong with it then never changes a run.
 */
export function record(model: Model, file: string | URL, options: RecordOptions = {}): RecordingModel {
  checkModel(model);
  const path = pathToWrite('record', file);
  checkOptions('record', options, kinds);
  const { onError, clock = systemClock } = options;
  const redactor = readSecrets(options.redact);
  let isClosing = false;
  const told = (cause: Error) => recordingError(path, cause, redactor);
  const failed = (cause: Error) => {
    const error = told(cause);
    if (onError !== undefined) unheeded(() => onError(error));
    else if (!isClosing) process.emitWarning(error.message, { code: 'FUSELOOP_RECORDING', detail: error.hint });
  };
  const lines = appendLines(path, { existing: 'continue', isOurs: isRecording, failed });
  return {
    provider: model.provider,
    name: model.name,
    generate: (request) => watched(model, request, { lines, redactor, clock }),
    async close() {
      isClosing = true;
      const cause = await lines.close();
      await closeAll([model]);
      if (cause !== null) throw told(cause);
    },
  };
}

const kinds: ReadonlyMap<keyof RecordOptions, Kind> = new Map([
  ['redact', redaction],
  ['onError', callable],
  ['clock', clockWith('monotonicMs')],
]);

function checkModel(model: unknown): void {
  if (isModel(model)) return;
  throw new AgentError('invalid_option', `record was given ${kindOf(model)}, which is no model.`, {
    hint: "record takes a model and a file, such as record(openai({ model: 'gpt-4o-mini' }), 'sum.jsonl').",
  });
}

/** Of the first line; it may be torn. */
function isRecording(line: string): boolean {
  const beginning = `{"format":${JSON.stringify(recordingFormat)}`;
  return line.startsWith(beginning) || (line !== '' && beginning.startsWith(line));
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

/**
 * The stream of the model, written out by hand: `return()` must reach it at once, also while an event is awaited. It is opened
 * when it is first read: where nothing was asked, nothing is recorded.
 */
function watched(model: Model, request: ModelRequest, watching: Watching): AsyncIterableIterator<ModelEvent> {
  const exchange = startExchange(model, request, watching);
  let stream: AsyncIterator<ModelEvent> | null = null;
  return {
    async next() {
      if (stream === null && exchange.isOver()) return done;
      try {
        stream ??= model.generate(request)[Symbol.asyncIterator]();
        const result = await stream.next();
        if (result.done === true) exchange.end('broke_off');
        else exchange.take(result.value);
        return result;
      } catch (thrown) {
        exchange.end('threw', messageOf(thrown));
        throw thrown;
      }
    },
    async return(value?: unknown) {
      if (stream === null) exchange.drop();
      else if (!exchange.isOver()) exchange.end('left', reasonOf(request.signal));
      return stream?.return?.(value) ?? done;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

const done: IteratorResult<ModelEvent> = Object.freeze({ done: true, value: undefined });

interface OpenExchange {
  isOver(): boolean;
  take(event: unknown): void;
  end(ended: ExchangeEnd, why?: string): void;
  /** Nothing of it is written. */
  drop(): void;
}

function startExchange(
  { provider, name }: Model,
  request: ModelRequest,
  { lines, redactor, clock }: Watching,
): OpenExchange {
  const startMs = clock.monotonicMs();
  const events: TimedEvent[] = [];
  let isOver = false;
  const end = (ended: ExchangeEnd, why = '') => {
    if (isOver) return;
    isOver = true;
    const asked = requestOf(request);
    const exchange: Exchange = { format: recordingFormat, provider, name, request: asked, events, ended, why };
    lines.write(JSON.stringify(redactExchange(exchange, redactor)));
  };
  return {
    isOver: () => isOver,
    take(given) {
      if (isOver) return;
      const event = readModelEvent(given);
      if (event === null) return end('threw', 'yielded something that is not a model event');
      events.push({ ms: Math.round(clock.monotonicMs() - startMs), event });
      if (event.type === 'end' || event.type === 'failed') end(event.type);
    },
    end,
    drop() {
      isOver = true;
    },
  };
}

function reasonOf({ aborted, reason }: AbortSignal): string {
  return aborted ? messageOf(reason) : '';
}
