/** What a reader of one run is sent next, from where it stands. */
import { nothingSeen, piecesBehind, type ReplyCursor } from './arriving-reply.ts';
import type { Hold } from './hold.ts';
import { serverSent } from './stream.ts';

/** In bytes: lists of events end at the first event with which they are as long. */
const listBytes = 64_000;

/** `from`: so many events of the trace it has. Gives what comes next; null where there is nothing yet. */
export function runReader(hold: Hold, from: number): () => string | Buffer | null {
  const { lines } = hold;
  let sent = from;
  let seen: ReplyCursor = nothingSeen;
  let isNew = true;
  let isEndTold = false;

  const events = () => {
    const first = sent;
    for (let bytes = 0; sent < lines.length && bytes < listBytes; sent++) bytes += lines[sent]?.length ?? 0;
    return eventList(lines.slice(first, sent), sent);
  };
  /** Only behind all events: the reply belongs to the last of them. */
  const reply = () => {
    const arriving = hold.reply();
    if (arriving === null) return null;
    const { id, step, text } = arriving;
    const pieces = piecesBehind(arriving, seen);
    const isFirst = isNew;
    isNew = false;
    seen = { id, length: text.length };
    if (isFirst) return serverSent('reply', JSON.stringify({ step, text }));
    return pieces.length === 0 ? null : serverSent('events', JSON.stringify(pieces), sent);
  };
  return () => {
    if (sent < lines.length) {
      isEndTold = false;
      return events();
    }
    const pieces = reply();
    isNew = false;
    if (pieces !== null) return pieces;
    if (!hold.isOver() || isEndTold) return null;
    isEndTold = true;
    return serverSent('end', 'null', sent);
  };
}

function eventList(lines: readonly Buffer[], sent: number): Buffer {
  const parts: Buffer[] = [Buffer.from(`event: events\nid: ${sent}\ndata: [`)];
  for (const [index, line] of lines.entries()) {
    if (index > 0) parts.push(comma);
    parts.push(line);
  }
  return Buffer.concat([...parts, end]);
}

const comma = Buffer.from(',');
const end = Buffer.from(']\n\n');
