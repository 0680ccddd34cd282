/** What foreign code says of a fault, as a text of bounded length. Pure. */
import { messageOf } from '../core/message-of.ts';

/** In code units. A message is told to the model, which pays for each word of it. */
const longest = 500;

/** Total: also for what is no text at all. Not cut inside a character. */
export function brief(said: unknown): string {
  const text = messageOf(said);
  if (text.length <= longest) return text;
  const last = text.charCodeAt(longest - 1);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? longest - 1 : longest)}…`;
}
