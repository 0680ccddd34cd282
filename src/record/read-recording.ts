/** A recording as it stands in a file, checked line by line. */
import { isJsonObject } from '../core/json.ts';
import { readModelEvent } from '../core/model-event.ts';
import { recordingFormat } from '../core/recording-format.ts';
import { readJsonl, unusable } from './read-jsonl.ts';
import { type Exchange, exchangeProblem, type TimedEvent } from './recording.ts';

/** Throws AgentError (`invalid_option`) that names the line. */
export function readRecording(file: string): readonly Exchange[] {
  return readJsonl(file, 'recording', whereFrom).lines.map(({ number, value }) => {
    const place = `${file}, line ${number},`;
    const { format, type, sequence } = isJsonObject(value) ? value : {};
    if (typeof type === 'string' && typeof sequence === 'number') throw ofTrace(file);
    if (format !== recordingFormat) throw foreign(place, format);
    if (isExchange(value)) return { ...value, events: value.events.flatMap(asRead) };
    throw unusable(
      `${place} is damaged: ${exchangeProblem(value)}.`,
      `Take the line out, or record anew. ${whereFrom}`,
    );
  });
}

const whereFrom = `A recording is what record(model, file) of fuseloop/record writes: one JSON object a line, of the format ${recordingFormat}.`;

function ofTrace(file: string): Error {
  return unusable(
    `${file} is a trace, of what whole runs did: replay takes a recording, of what a model said.`,
    `A trace is carried out again by fuseloop replay TRACE, or replayTrace(file). ${whereFrom}`,
  );
}

function foreign(place: string, format: unknown): Error {
  const version = typeof format === 'string' ? /^fuseloop\.recording\/(\d{1,6})$/.exec(format)?.[1] : undefined;
  if (version !== undefined)
    return unusable(
      `${place} is of the format fuseloop.recording/${version}, and this version of fuseloop reads ${recordingFormat}.`,
      'Replay it with the version of fuseloop that wrote it, or record anew.',
    );
  return unusable(`${place} is no exchange of a recording.`, whereFrom);
}

function isExchange(value: unknown): value is Exchange {
  return exchangeProblem(value) === null;
}

/** As the loop reads it. */
function asRead({ ms, event: given }: TimedEvent): readonly TimedEvent[] {
  const event = readModelEvent(given);
  return event === null ? [] : [{ ms, event }];
}
