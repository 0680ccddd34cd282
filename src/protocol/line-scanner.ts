/** A scanner that reads line by line: what the dialects written in lines have in common. Pure. */
import type { Reading } from '../core/reading.ts';
import type { Scanner } from './dialect.ts';
import { createLineFeed, type LineFeed, type MarkBook } from './scanner.ts';

/** How a dialect reads; `Turn` is what it remembers of one reply. */
export interface LineReader<Turn extends { readonly marks: MarkBook }> {
  begin(feed: LineFeed): Turn;
  /** A whole line, and where it begins in the reply. */
  line(turn: Turn, text: string, at: number): void;
  /** The beginning of a line that has not ended yet. It may only report, never keep it. */
  peek(turn: Turn, head: string, at: number): void;
  /** The reply has ended: what is still open is closed. */
  close(turn: Turn): void;
  read(turn: Turn): Reading;
  kept(turn: Turn): string;
}

export function createLineScanner<Turn extends { readonly marks: MarkBook }>(reader: LineReader<Turn>): Scanner {
  const feed = createLineFeed({
    line: (text, at) => reader.line(turn, text, at),
    peek: (head, at) => reader.peek(turn, head, at),
  });
  const turn = reader.begin(feed);
  return {
    feed(chunk) {
      feed.feed(chunk);
      return turn.marks.take();
    },
    end() {
      feed.end();
      reader.close(turn);
      const reading = reader.read(turn);
      return { marks: turn.marks.take(), reading };
    },
    kept: () => reader.kept(turn),
  };
}
