/**
 * Lines of a journal as texts. Only their shape is looked at; what they mean is read by whoever goes on with the run.
 * Pure.
 */
import { isJsonObject } from '../core/json.ts';
import { messageOf } from '../core/message-of.ts';
import type { CheckpointLine, JournalLine } from '../core/store.ts';
import { storeFailed } from './store-errors.ts';

/** One line of JSON, without a line end. Throws AgentError (`store_failed`) for what JSON cannot say. */
export function textOfLine(line: JournalLine): string {
  try {
    const text: unknown = JSON.stringify(line);
    if (typeof text === 'string') return text;
  } catch (thrown) {
    throw storeFailed(`A line of the journal is no JSON: ${messageOf(thrown)}.`, onlyJson, thrown);
  }
  throw storeFailed('A line of the journal is no JSON.', onlyJson);
}

const onlyJson = 'Give the store lines that are plain JSON, as the journal of a run is.';

/** Null where the text is no JSON, or no line of a journal. */
export function lineOf(text: string): JournalLine | null {
  const value = parsedJson(text);
  return isJournalLine(value) ? value : null;
}

/** Undefined where the text is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

export function isCheckpoint(line: JournalLine): line is CheckpointLine {
  return line.type === 'checkpoint';
}

export function isJournalLine(value: unknown): value is JournalLine {
  if (!isJsonObject(value) || typeof value.type !== 'string' || typeof value.wallMs !== 'number') return false;
  return value.type === 'checkpoint' ? isJsonObject(value.snapshot) : typeof value.sequence === 'number';
}
