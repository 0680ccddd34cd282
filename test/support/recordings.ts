/**
 * The recorded replies and runs, which are not part of the project: tests that use them are skipped where they are absent.
 * And how a reading is compared with a label.
 */
import { existsSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

export interface LabelledReply {
  readonly id: string;
  readonly dialect: string;
  readonly raw: string;
  readonly tools?: readonly string[];
  readonly notes?: string;
  readonly expect: {
    readonly kind: string;
    readonly thought?: string | null;
    readonly tool?: string;
    readonly input?: unknown;
    readonly answer?: string;
  };
}

const folder = new URL('../../../shared/corpus/', import.meta.url);

export const areRecordingsHere = existsSync(folder);
if (!areRecordingsHere) console.log('Skipped: recorded replies and runs. The recordings are not here.');

/** The lines of a file of JSON lines; none where the recordings are absent. */
export function recordings<Row>(name: string): readonly Row[] {
  if (!areRecordingsHere) return [];
  const lines = readFileSync(new URL(name, folder), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

export function trimmed(text: string | null | undefined): string | undefined {
  return text?.trim().replaceAll('\r\n', '\n');
}

/** Texts modulo their ends and one pair of quotes, or as the JSON value that they spell. */
export function sameInput(expected: unknown, got: unknown): boolean {
  if (isEmpty(expected)) return isEmpty(got);
  if (typeof expected === 'string' && typeof got === 'string') return unquoted(expected) === unquoted(got);
  return isDeepStrictEqual(spelled(expected), spelled(got));
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

function unquoted(text: string): string {
  const inner = text.trim().replaceAll('\r\n', '\n');
  const quote = inner[0] ?? '';
  return inner.length > 1 && '"\'`'.includes(quote) && inner.endsWith(quote) ? inner.slice(1, -1).trim() : inner;
}

function spelled(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(unquoted(value));
  } catch {
    return value;
  }
}
