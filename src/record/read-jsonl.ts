/** Files of one JSON value a line. A last line that breaks off is left out: the program that wrote it ended there. */
import { readFileSync } from 'node:fs';
import { AgentError } from '../core/errors.ts';
import { messageOf } from '../core/message-of.ts';

export interface JsonLine {
  /** From 1. */
  readonly number: number;
  readonly value: unknown;
}

export interface JsonLines {
  readonly lines: readonly JsonLine[];
  /** The number of a last line that breaks off; null where none does. */
  readonly torn: number | null;
}

/** `what` is the kind of file, for messages, and `hint` says where such a file comes from. Throws AgentError that names the line. */
export function readJsonl(file: string, what: string, hint: string): JsonLines {
  const lines = textOf(file, what).split('\n');
  const read: JsonLine[] = [];
  let torn: number | null = null;
  for (const [index, text] of lines.entries()) {
    const line = index === 0 ? text.replace(/^\ufeff/, '') : text;
    if (line.trim() === '') continue;
    const value = parsed(line);
    if (value !== undefined) read.push({ number: index + 1, value });
    else if (index < lines.length - 1 || read.length === 0)
      throw unusable(`${file}, line ${index + 1}, is no JSON.`, hint);
    else torn = index + 1;
  }
  if (read.length === 0) throw unusable(`${file} holds no ${what}.`, hint);
  return { lines: read, torn };
}

export function unusable(message: string, hint: string, cause?: unknown): AgentError {
  return new AgentError('invalid_option', message, { hint, cause });
}

function textOf(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    throw unusable(
      `The ${what} ${file} cannot be read: ${messageOf(thrown)}.`,
      'Name a file that is there, and that you may read.',
      thrown,
    );
  }
}

function parsed(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    return value;
  } catch {
    return undefined;
  }
}
