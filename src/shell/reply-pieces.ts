/**
 * The pieces of a reply for those who watch. What may be the beginning of a secret is held back until it is known, so that
 * none is shown in two halves; nothing is lost.
 */
import type { Redactor } from '../core/redact.ts';

export interface ReplyPieces {
  take(step: number, text: string): void;
  /** The reply is over: what was held back is shown. */
  end(): void;
}

export function replyPieces(
  { text: redacted, settled }: Redactor,
  show: (step: number, text: string) => void,
): ReplyPieces {
  let held = '';
  let ofStep = 0;
  const pass = (length: number) => {
    const text = redacted(held.slice(0, length));
    held = held.slice(length);
    if (text !== '') show(ofStep, text);
  };
  return {
    take(step, text) {
      held += text;
      ofStep = step;
      pass(settled(held));
    },
    end: () => pass(held.length),
  };
}
