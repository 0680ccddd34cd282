/**
 * Server-sent events to one reader, at the reader's pace: what comes next is asked for when the reader has taken what was
 * written before, so that nothing is queued for one who does not read. One who takes nothing for long is cut off; its
 * `EventSource` comes back and says up to where it has read.
 */
import type { ServerResponse } from 'node:http';

export interface Stream {
  /** There may be something new. */
  wake(): void;
  close(): void;
}

export interface StreamOptions {
  readonly response: ServerResponse;
  readonly headers: Readonly<Record<string, string>>;
  /** What is to be sent now: some of it at a time. Null where the reader has all. Must not throw. */
  readonly next: () => string | Buffer | null;
  readonly onClose: () => void;
  /** In milliseconds. */
  readonly stallMs: number;
}

/** In milliseconds: how long an `EventSource` waits until it comes back. */
const retryMs = 1_000;

export function openStream({ response, headers, next, onClose, stallMs }: StreamOptions): Stream {
  let isBlocked = false;
  let isClosed = false;
  let stalled: NodeJS.Timeout | null = null;

  const settle = () => {
    if (stalled !== null) clearTimeout(stalled);
    stalled = null;
  };
  const closed = () => {
    if (isClosed) return;
    isClosed = true;
    settle();
    onClose();
  };
  const wake = () => {
    while (!isBlocked && !isClosed) {
      const piece = next();
      if (piece === null) return;
      if (response.write(piece)) continue;
      isBlocked = true;
      stalled = setTimeout(() => response.destroy(), stallMs).unref();
    }
  };
  response.on('drain', () => {
    isBlocked = false;
    settle();
    wake();
  });
  response.on('close', closed);
  response.on('error', closed);
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' });
  response.write(`retry: ${retryMs}\n\n`);
  wake();
  return {
    wake,
    close: () => {
      closed();
      response.destroy();
    },
  };
}

/** `data` is JSON, and so holds no line end. */
export function serverSent(event: string, data: string, id?: number): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}
