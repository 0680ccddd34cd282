/** Where two texts or values part, in words. Pure. */
import { canonicalJson, type JsonValue } from '../core/json.ts';

/** In code units, of an excerpt. */
const excerptLength = 60;
const before = 20;

/** Such as `at character 12: recorded "…", now "…"`. Null where they are equal. */
export function textDifference(recorded: string, now: string): string | null {
  if (recorded === now) return null;
  const at = firstDifference(recorded, now);
  return `at character ${at + 1}: recorded ${excerpt(recorded, at)}, now ${excerpt(now, at)}`;
}

/** Short values whole, long ones where they part. */
export function valueDifference(recorded: JsonValue | undefined, now: JsonValue | undefined): string | null {
  if (
    typeof recorded === 'string' &&
    typeof now === 'string' &&
    (recorded.length > excerptLength || now.length > excerptLength)
  )
    return textDifference(recorded, now);
  const [one, other] = [spelled(recorded), spelled(now)];
  if (one === other) return null;
  if (one.length <= excerptLength && other.length <= excerptLength) return `recorded ${one}, now ${other}`;
  if (typeof recorded === typeof now && recorded !== null && now !== null) return textDifference(one, other);
  return `recorded ${beginning(one)}, now ${beginning(other)}`;
}

function beginning(text: string): string {
  return text.length <= excerptLength ? text : `${text.slice(0, excerptLength)}…`;
}

function spelled(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : canonicalJson(value);
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  return at;
}

/** Quoted, so that what cannot be seen is seen. */
function excerpt(text: string, at: number): string {
  if (at >= text.length) return `nothing more (it ends behind ${JSON.stringify(text.slice(-before))})`;
  const from = Math.max(0, at - before);
  const shown = text.slice(from, from + excerptLength);
  return `${from > 0 ? '…' : ''}${JSON.stringify(shown)}${from + excerptLength < text.length ? '…' : ''}`;
}
