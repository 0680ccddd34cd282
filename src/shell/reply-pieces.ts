/**
 * The pieces of a reply for those who watch. What may be the beginning of a secret is held back until it is known, so that
 * none is shown in two halves; nothing else is lost.
 */
import type { Redactor } from '../core/redact.ts';

/** In code units. What is still open then is hidden, with the rest of its line. */
const mostHeld = 4_000;
/** In code units. Of what was shown, so much can say what follows: the name of a header, and the quote before it. */
const lookedBack = 100;
const mark = '[redacted]';

export interface ReplyPieces {
  take(step: number, text: string): void;
  /** The reply is over: what was held back is shown. */
  end(): void;
}

export function replyPieces({ behind, settled }: Redactor, show: (step: number, text: string) => void): ReplyPieces {
  /** The end of what was shown, and then what is held back. */
  let text = '';
  let shown = 0;
  /** The length from which it is worth to look again: each time a part more, so that nothing is looked at too often. */
  let next = 0;
  let ofStep = 0;
  let isHidingLine = false;

  const pass = (to: number, piece: string) => {
    const before = (text.slice(0, shown) + piece).slice(-lookedBack);
    text = before + text.slice(to);
    shown = before.length;
    if (piece !== '') show(ofStep, piece);
  };

  const add = (piece: string) => {
    const lineEnd = isHidingLine ? piece.indexOf('\n') : 0;
    if (lineEnd === -1) return;
    isHidingLine = false;
    text += piece.slice(lineEnd);
    if (text.length < next) return;
    const to = Math.max(shown, settled(text));
    pass(to, behind(text.slice(0, to), shown));
    isHidingLine = text.length - shown > mostHeld;
    if (isHidingLine) pass(text.length, mark);
    next = text.length + ((text.length - shown) >> 2);
  };

  return {
    take(step, piece) {
      ofStep = step;
      for (let at = 0; at < piece.length; at += mostHeld) add(piece.slice(at, at + mostHeld));
    },
    end() {
      pass(text.length, behind(text, shown));
      text = '';
      shown = next = 0;
      isHidingLine = false;
    },
  };
}
