/**
 * What every dialect's scanner is made of: a stream cut into lines, and the marks of a reply. Pure. Each character is
 * handed on once, however the stream is cut.
 */
import type { Mark, ReadCall, Stop } from '../core/reading.ts';
import { labelHeadLength } from './labels.ts';

export interface LineHandler {
  /** A whole line without its line break, and where it begins in the reply. */
  line(text: string, at: number): void;
  /** The beginning of the line that has not ended yet, up to `labelHeadLength`. It may only report, never keep it. */
  peek(head: string, at: number): void;
}

export interface LineFeed {
  feed(chunk: string): void;
  /** Hands on the last line, which has no line break. */
  end(): void;
  /** All that was fed. */
  text(): string;
}

export function createLineFeed(handler: LineHandler): LineFeed {
  // Added up chunk by chunk: nothing is copied before somebody looks at the text, once a line and a few times a reply.
  let whole = '';
  let pending = '';
  let head = '';
  let lineAt = 0;

  function finishLine(last: string, breakLength: number): void {
    const line = pending === '' ? last : pending + last;
    pending = '';
    head = '';
    handler.line(line.charCodeAt(line.length - 1) === 13 ? line.slice(0, -1) : line, lineAt);
    lineAt += line.length + breakLength;
  }

  function keepPart(part: string): void {
    pending += part;
    if (head.length >= labelHeadLength) return;
    head += part;
    if (head.length > labelHeadLength) head = head.slice(0, labelHeadLength);
    handler.peek(head, lineAt);
  }

  return {
    feed(chunk) {
      if (chunk === '') return;
      whole += chunk;
      let from = 0;
      for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', from)) {
        finishLine(chunk.slice(from, at), 1);
        from = at + 1;
      }
      if (from < chunk.length) keepPart(from === 0 ? chunk : chunk.slice(from));
    },
    end() {
      if (pending !== '') finishLine('', 0);
    },
    text: () => whole,
  };
}

/** Hands on the lines of a text a second time, from a position that is the start of a line. */
export function replayLines(text: string, from: number, line: LineHandler['line']): void {
  let at = from;
  while (at < text.length) {
    const breakAt = text.indexOf('\n', at);
    const end = breakAt < 0 ? text.length : breakAt;
    line(text.slice(at, text.charCodeAt(end - 1) === 13 && end > at ? end - 1 : end), at);
    at = end + 1;
  }
}

export interface MarkBook {
  /** Adds a mark unless this kind of stop was reported before. */
  report(stop: Stop, thought: string | null, calls: readonly ReadCall[]): void;
  reported(stop: Stop): boolean;
  /** The marks since the last call. */
  take(): readonly Mark[];
}

const noMarks: readonly Mark[] = Object.freeze([]);

export function createMarkBook(): MarkBook {
  const seen: Stop[] = [];
  let fresh: Mark[] = [];
  return {
    report(stop, thought, calls) {
      if (seen.includes(stop)) return;
      seen.push(stop);
      fresh.push({ stop, thought, calls });
    },
    reported: (stop) => seen.includes(stop),
    take() {
      if (fresh.length === 0) return noMarks;
      const taken = fresh;
      fresh = [];
      return taken;
    },
  };
}
