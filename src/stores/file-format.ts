/**
 * A file of one run: a header, then one line of the journal a line, and a line for each hold that was taken of it. The
 * header says of the first line of the journal what a list wants to know, as that line may have megabytes. Pure.
 */
import type { AgentError } from '../core/errors.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import type { JournalLine } from '../core/store.ts';
import { isJournalLine, parsedJson } from './journal-line.ts';
import { checkedJournal } from './read-journal.ts';
import { invalidJournal, shown } from './store-errors.ts';
import { beginningOf, type RunBeginning, type RunRest, restOf } from './summary.ts';

export const fileFormat = 'fuseloop.file/1';
/** How every header begins. */
const headerStart = '{"type":"file","format":"fuseloop.file/';
const holdStart = '{"type":"hold","epoch":';

/** What a list says of the first line of the journal, and the bytes of that line with its line end. */
export interface FirstLine {
  readonly bytes: number;
  readonly beginning: RunBeginning;
  readonly rest: RunRest;
}

export interface FileHeader {
  readonly runId: string;
  /** Of the hold that wrote the file. */
  readonly epoch: number;
  /** Another one each time that the file is written whole. */
  readonly stamp: string;
  /** Null where no line of the journal was written with it. */
  readonly first: FirstLine | null;
}

export interface ReadFile {
  readonly lines: readonly JournalLine[];
  /** Up to the end of the last line that is whole. What is behind it was torn by a crash. */
  readonly wholeBytes: number;
}

export function headerText(header: FileHeader): string {
  return JSON.stringify({ type: 'file', format: fileFormat, ...header });
}

export function holdText(epoch: number): string {
  return `${holdStart}${epoch}}`;
}

export function firstLineOf(line: JournalLine, text: string): FirstLine {
  return { bytes: Buffer.byteLength(text) + 1, beginning: beginningOf(line), rest: restOf(line) };
}

/** Whether these bytes are the beginning of a header and nothing more. */
export function isPartOfHeader(bytes: Buffer): boolean {
  const start = Buffer.from(headerStart);
  const compared = Math.min(start.length, bytes.length);
  return !bytes.includes(lineEnd) && bytes.subarray(0, compared).equals(start.subarray(0, compared));
}

export const lineEnd = 10;

/**
 * The header in the first line of these bytes, and where that line ends. A file comes to its place whole, so that no crash
 * leaves a part of a header. Throws AgentError (`invalid_journal`).
 */
export function readHeader(bytes: Buffer, path: string): { readonly header: FileHeader; readonly end: number } {
  if (isPartOfHeader(bytes)) throw cutOff(path);
  const end = endOf(bytes, 0);
  return { header: headerIn(bytes.subarray(0, end), path), end };
}

function headerIn(bytes: Buffer, path: string): FileHeader {
  const value = jsonIn(bytes);
  if (!isJsonObject(value) || value.type !== 'file' || typeof value.format !== 'string')
    throw invalidJournal(`${path} is no file of a run: its first line is none that this store writes.`, keepAway);
  if (value.format !== fileFormat)
    throw invalidJournal(`${path} is of the format ${shown(value.format)}; known is ${fileFormat}.`, otherVersion);
  if (!isHeader(value)) throw invalidJournal(`${path} is damaged in line 1.`, damaged);
  return value;
}

const keepAway = 'Move it out of the folder of the store, or give the store another folder.';
const otherVersion = 'Read it with the version of fuseloop that wrote it.';
export const damaged = 'The file was left as it is. Put a copy in its place, or remove it and begin the run anew.';

/** Where the journal goes on behind its first line, of a file of so many bytes. Throws where the file ends before that. */
export function behindFirst({ first }: FileHeader, headerEnd: number, size: number, path: string): number {
  const behind = headerEnd + 1 + (first?.bytes ?? 0);
  if (first !== null && size < behind) throw cutOff(path);
  return behind;
}

function cutOff(path: string): AgentError {
  return invalidJournal(`${path} is cut off before its first line of the journal ends, which no crash does.`, damaged);
}

function isHeader(value: JsonObject): value is JsonObject & FileHeader {
  const { runId, epoch, stamp, first } = value;
  if (typeof runId !== 'string' || !Number.isSafeInteger(epoch) || typeof stamp !== 'string') return false;
  return first === null || (isJsonObject(first) && isFirstLine(first));
}

function isFirstLine({ bytes, beginning, rest }: JsonObject): boolean {
  return Number.isSafeInteger(bytes) && isJsonObject(beginning) && isJsonObject(rest) && Array.isArray(rest.waiting);
}

/** Throws where the header says that the file belongs to another run: it was renamed or copied. */
export function checkRun({ runId }: FileHeader, expected: string, path: string): void {
  if (runId !== expected)
    throw invalidJournal(`${path} belongs to another run, ${shown(runId)}, not to ${shown(expected)}.`, keepAway);
}

/** The highest epoch, and which file this is: without reading the lines. Null where there is no file. */
export function standingOf(
  bytes: Buffer | null,
  runId: string,
  path: string,
): { readonly epoch: number; readonly stamp: string } | null {
  if (bytes === null) return null;
  const { header } = readHeader(bytes, path);
  checkRun(header, runId, path);
  // No line end is within a text of JSON.
  for (let at = bytes.length; at > 0; ) {
    at = bytes.lastIndexOf(`\n${holdStart}`, at - 1);
    if (at === -1) break;
    const epoch = holdEpoch(jsonIn(bytes.subarray(at + 1, endOf(bytes, at + 1))));
    if (epoch !== null && bytes.includes(lineEnd, at + 1)) return { epoch, stamp: header.stamp };
  }
  return { epoch: header.epoch, stamp: header.stamp };
}

/** Null where there is no file. Throws AgentError (`invalid_journal`) that names the line. */
export function readRun(bytes: Buffer | null, runId: string, path: string): ReadFile | null {
  if (bytes === null) return null;
  const { header, end: headerEnd } = readHeader(bytes, path);
  checkRun(header, runId, path);
  const values: unknown[] = [];
  let from = Math.min(headerEnd + 1, bytes.length);
  while (from < bytes.length) {
    const end = endOf(bytes, from);
    const value = jsonIn(bytes.subarray(from, end));
    const isLast = end + 1 >= bytes.length;
    if (end === bytes.length || (isLast && value === undefined)) break;
    if (holdEpoch(value) === null) values.push(value);
    from = end + 1;
  }
  const lines = checkedJournal(values, { runId, store: path });
  behindFirst(header, headerEnd, bytes.length, path);
  return { lines, wholeBytes: from };
}

/** A line of the journal; the epoch of a hold; `torn` for what is no JSON. */
export function readLine(bytes: Buffer): JournalLine | number | 'torn' | 'foreign' {
  const value = jsonIn(bytes);
  if (value === undefined) return 'torn';
  return holdEpoch(value) ?? (isJournalLine(value) ? value : 'foreign');
}

/** Undefined where the bytes are no JSON in UTF-8. */
function jsonIn(bytes: Buffer): unknown {
  try {
    return parsedJson(strict.decode(bytes));
  } catch {
    return undefined;
  }
}

function holdEpoch(value: unknown): number | null {
  if (!isJsonObject(value) || value.type !== 'hold' || typeof value.epoch !== 'number') return null;
  return Number.isSafeInteger(value.epoch) ? value.epoch : null;
}

/** Of the line that begins there: where its line end is, or the end of all. */
function endOf(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(lineEnd, from);
  return end === -1 ? bytes.length : end;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
