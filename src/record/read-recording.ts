/** A recording as it stands in a file, checked line by line. */
import { isJsonObject } from '../core/json.ts';
import { readJsonl, unusable } from './read-jsonl.ts';
import { type Exchange, exchangeProblem, recordingFormat } from './recording.ts';

/** Throws AgentError (`invalid_option`) that names the line. */
export function readRecording(file: string): readonly Exchange[] {
  return readJsonl(file, 'recording', whereFrom).map(({ number, value }) => {
    const place = `${file}, line ${number},`;
    const format = isJsonObject(value) ? value.format : undefined;
    if (format !== recordingFormat) throw foreign(place, format);
    if (isExchange(value)) return value;
    throw unusable(
      `${place} is damaged: ${exchangeProblem(value)}.`,
      `Take the line out, or record anew. ${whereFrom}`,
    );
  });
}

const whereFrom = `A recording is what record(model, file) of fuseloop/record writes: one JSON object a line, of the format ${recordingFormat}.`;

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
