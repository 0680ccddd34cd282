/** What foreign code says of a fault, as a text of bounded length, without a stack trace. Pure. */
import type { JsonValue } from '../core/json.ts';
import { messageOf } from '../core/message-of.ts';
import type { Redactor } from '../core/redact.ts';
import { withoutTrace } from '../core/without-trace.ts';

/** In code units. A message is told to the model, which pays for each word of it. */
const longest = 500;
const noWords = 'an error without words';

/** What must not be seen is taken out before the text is cut. */
export interface WithRedactor {
  readonly redactor: Redactor;
}

/** Total: also for what is no text at all. Without secrets, and not cut inside a character. */
export function brief(said: unknown, { redactor }: WithRedactor): string {
  const text = redactor.text(messageOf(said));
  return shortened(withoutTrace(text) || noWords, longest);
}

/** At most so many code units, and a mark where something is missing. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most)}…`;
}

/** With an end, so that another sentence can follow. */
export function sentence(text: string): string {
  return /[.!?。！？…]$/.test(text.slice(-1)) ? text : `${text}.`;
}

/** With its unit: from a second on, in seconds with one digit behind the point. */
export function duration(ms: number, milliseconds = 'ms', seconds = 's'): string {
  return ms < 1_000 ? `${Math.ceil(ms)} ${milliseconds}` : `${Math.round(ms / 100) / 10} ${seconds}`;
}

const mostNames = 40;

/** At most forty names, and how many more there are. */
export function listed(
  names: readonly string[],
  comma = ', ',
  more = (count: number) => `… and ${count} more`,
): string {
  const shown = names.slice(0, mostNames);
  return (names.length > mostNames ? [...shown, more(names.length - mostNames)] : shown).join(comma);
}

/** An input on one line, cut. */
export function inputText(input: JsonValue | null): string {
  return shortened(JSON.stringify(input), longest);
}
