/**
 * The error in a document of a server, whatever its form. Pure. Forms met: a text, `{ message, type, code }`, a document
 * that is the error itself (vLLM), `{ type: 'error', error }` (Anthropic), and a code that is a number (OpenRouter).
 */
import { isJsonObject } from '../../core/json.ts';

export interface ServerError {
  readonly message: string;
  /** Its type, code and status, where they are words: what a program can go by. */
  readonly words: readonly string[];
  /** The HTTP status that it would have had, where it says so. */
  readonly status: number | null;
}

type Document = Readonly<Record<string, unknown>>;

export function parseObject(json: string): Document | null {
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Null where the document tells of none. */
export function errorIn(document: Document): ServerError | null {
  const error = document.error ?? (document.object === 'error' ? document : null);
  if (error === null || error === false || error === '') return null;
  if (typeof error === 'string') return { message: error, words: [], status: null };
  if (!isJsonObject(error)) return { message: JSON.stringify(error), words: [], status: null };
  const { message, type, code, status } = error;
  return {
    message: typeof message === 'string' && message !== '' ? message : JSON.stringify(error),
    words: [type, code, status].filter((word) => typeof word === 'string'),
    status: [code, status, error.status_code].map(statusOf).find((found) => found !== null) ?? null,
  };
}

function statusOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^[1-5]\d\d$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 100 && number < 600 ? number : null;
}
