/** Takes secrets out of texts and JSON. Pure. */
import { credentialsIn, isCredentialName, type Range } from './redact-credentials.ts';
import { formsOf } from './redact-forms.ts';

/**
 * What must not be seen: a text, wherever and in whatever common form it stands; what a pattern matches; or the value of a
 * variable of the environment, read once when the agent is made.
 */
export type Redaction = readonly (string | RegExp | { readonly env: string })[];

export interface Redactor {
  /** With `[redacted]` for each secret. Doing it twice changes nothing more. */
  text(text: string): string;
  /** The same for all texts, keys and numbers in it. What stands under the name of a credential is hidden whole. */
  value<Value>(json: Value): Value;
  /** What stands behind `from`, of a text whose beginning was shown before: without secrets, as the whole would have it. */
  behind(text: string, from: number): string;
  /** How much of the beginning may be shown while more text is to come: what is behind may be a part of a secret. */
  settled(text: string): number;
}

const mark = '[redacted]';

/** In code units. A pattern could match at the end of a line that is still coming; no longer match is waited for. */
const longestMatch = 2_000;

/** How a text could go on that makes the most of what is open: as a token that a URL has too, or with a quote or an item. */
const goingOn = ['00000000:@', '"', "'", '\\"', ',"', ",'", ',\\"'];

/** An input that is nested deeper is refused anyway. */
const deepest = 300;

/** Credentials are always hidden; `secrets` are hidden too. */
export function createRedactor(secrets: readonly (string | RegExp)[]): Redactor {
  const texts = [...new Set(secrets.flatMap((secret) => (typeof secret === 'string' ? formsOf(secret) : [])))];
  const patterns = secrets.flatMap((secret) =>
    typeof secret === 'string' ? [] : [new RegExp(secret.source, `${secret.flags.replace(/[gy]/g, '')}g`)],
  );

  const literals = [mark, ...texts];

  /** In the order in which they begin; they may overlap. What is hidden already is one of them. */
  const rangesIn = (text: string): Range[] => {
    const found = credentialsIn(text);
    for (const one of literals)
      for (let at = text.indexOf(one); at !== -1; at = text.indexOf(one, at + 1)) found.push([at, at + one.length]);
    for (const pattern of patterns)
      for (const { 0: matched, index } of text.matchAll(pattern))
        if (matched !== '') found.push([index, index + matched.length]);
    return found.sort(([one], [other]) => one - other);
  };

  const once = (given: string, start: number): string => {
    let shown = '';
    let at = start;
    for (const [from, to] of rangesIn(given)) {
      if (to <= at) continue;
      if (from > at || (at === start && !given.endsWith(mark, start))) shown += given.slice(at, from) + mark;
      at = to;
    }
    return shown + given.slice(at);
  };

  /** What is hidden changes what stands round it, and so what may be taken for a token: again, a few times at most. */
  const behind = (given: string, start: number, passes = 4): string => {
    const shown = once(given, start);
    const before = given.slice(0, start);
    return before + shown === given || passes === 1 ? shown : behind(before + shown, start, passes - 1);
  };

  const settled = (given: string): number => {
    let length = given.length - begunAtEnd(given, mark);
    while (given[length - 1] === '\\') length--;
    const text = given.slice(0, length);
    const most = patterns.length > 0 ? Math.max(text.lastIndexOf('\n') + 1, length - longestMatch) : length;
    const filled = text.trimEnd().length;
    const begun = texts.map((one) => length - begunAtEnd(text, one));
    const ranges = goingOn.flatMap((more) => rangesIn(text + more)).sort(([one], [other]) => other - one);
    const end = ranges.reduce(
      (end, [from, to]) => (to >= Math.min(end, filled) ? Math.min(end, from) : end),
      Math.min(most, ...begun),
    );
    return /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end;
  };

  const text = (given: string) => behind(given, 0);
  return {
    text,
    value: (given) => valueIn(given, text, deepest),
    behind,
    settled,
  };
}

/** How many characters at the end of a text are the beginning of the other, and not all of it. */
function begunAtEnd(text: string, secret: string): number {
  const last = text.at(-1);
  for (let length = Math.min(secret.length - 1, text.length); length > 0; length--)
    if (secret[length - 1] === last && text.endsWith(secret.slice(0, length))) return length;
  return 0;
}

function valueIn<Value>(value: Value, text: (text: string) => string, levels: number): Value;
function valueIn(value: unknown, text: (text: string) => string, levels: number): unknown {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return text(String(value)) === String(value) ? value : mark;
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return mark;
  const within = (item: unknown, isSecret: boolean) => (isSecret ? hidden(item) : valueIn(item, text, levels - 1));
  if (Array.isArray(value)) return value.map((item, at) => within(item, isCredentialName(value[at - 1])));
  const isNamed = ['name', 'key'].some((key) => isCredentialName(Reflect.get(value, key)));
  const members = new Map<string, unknown>();
  for (const [key, item] of Object.entries(value)) {
    const shown = text(key);
    const place = members.has(shown) ? `${shown} ${members.size}` : shown;
    members.set(place, within(item, isCredentialName(key) || (isNamed && key === 'value')));
  }
  return Object.fromEntries(members);
}

/** A list of the names of headers is no list of headers. */
function hidden(value: unknown): unknown {
  return value === null || typeof value === 'boolean' || value === '' || isCredentialName(value) ? value : mark;
}
