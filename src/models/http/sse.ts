/**
 * Bytes in, the data of server-sent events out. The only file that imports eventsource-parser. Any way of cutting the
 * bytes gives the same data. Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
import { createParser } from 'eventsource-parser';
import { errorIn, parseObject } from './server-error.ts';

export interface SseReader {
  /** The data of the events that these bytes complete; `too_long` once an event passes the limit. */
  feed(bytes: Uint8Array): readonly string[] | 'too_long';
  /** The data of an event whose closing blank line never came. The specification drops it; some servers forget it. */
  end(): readonly string[];
}

/** `maxEventLength` is in UTF-16 code units and bounds what is kept in memory. */
export function createSseReader(maxEventLength: number): SseReader {
  const decoder = new TextDecoder();
  let events: string[] = [];
  let tooLong = false;
  const parser = createParser({
    maxBufferSize: maxEventLength,
    onEvent({ data }) {
      if (data.length > maxEventLength) tooLong = true;
      else if (data.trim() !== '') events.push(data);
    },
    onError({ type, field, value = '', line = '' }) {
      if (type === 'max-buffer-size-exceeded') tooLong = true;
      if (type !== 'unknown-field') return;
      const error = errorOutside(field, value, line.slice(0, maxEventLength));
      if (error !== null) events.push(error);
    },
  });
  // It takes these letters for a byte order mark where they come first in one piece; the decoder has dealt with marks.
  parser.feed('');
  const withLineFeeds = createLineFeeds();
  function take(text: string): readonly string[] {
    parser.feed(withLineFeeds(text));
    const taken = events;
    events = [];
    return taken;
  }
  return {
    feed(bytes) {
      // The parser throws when it is fed after it gave up.
      if (tooLong) return 'too_long';
      const taken = take(decoder.decode(bytes, { stream: true }));
      return tooLong ? 'too_long' : taken;
    },
    end: () => (tooLong ? [] : take(`${decoder.decode()}\n\n`)),
  };
}

/** An error that some servers write as a field of its own (`error: {…}`), and some as a bare line of JSON; others are null. */
function errorOutside(field: string | undefined, value: string, line: string): string | null {
  if (field === 'error') return `{"error":${parseObject(value) === null ? JSON.stringify(value) : value}}`;
  const document = line.startsWith('{') ? parseObject(line) : null;
  return document === null || errorIn(document) === null ? null : line;
}

/**
 * CR and CRLF become LF, also where a CRLF is cut. The parser keeps a CR at the end of a piece, and what it completes,
 * until a later piece holds another line end: an event would come late, or never where the connection breaks.
 */
function createLineFeeds(): (text: string) => string {
  let afterReturn = false;
  return (text) => {
    if (text === '') return text;
    const rest = afterReturn && text.startsWith('\n') ? text.slice(1) : text;
    afterReturn = text.endsWith('\r');
    return rest.includes('\r') ? rest.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : rest;
  };
}
