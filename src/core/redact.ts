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
  /** How much of the beginning may be shown while more text is to come: what is behind may be a part of a secret. */
  settled(text: string): number;
}

const mark = '[redacted]';

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

  const once = (given: string): string => {
    let shown = '';
    let at = 0;
    for (const [from, to] of rangesIn(given)) {
      if (to <= at) continue;
      if (from > at || at === 0) shown += given.slice(at, from) + mark;
      at = to;
    }
    return shown + given.slice(at);
  };

  /** What is hidden changes what stands round it, and so what may be taken for a token: again, a few times at most. */
  const text = (given: string, passes = 4): string => {
    const shown = once(given);
    return shown === given || passes === 1 ? shown : text(shown, passes - 1);
  };

  const settled = (given: string): number => {
    const most = patterns.length > 0 ? given.lastIndexOf('\n') + 1 : given.length;
    if (secrets.length === 0) return most;
    const begun = texts.map((one) => given.length - begunAtEnd(given, one));
    const ranges = rangesIn(given).reverse();
    return ranges.reduce((end, [from, to]) => (to > end ? Math.min(end, from) : end), Math.min(most, ...begun));
  };

  return { text: (given) => text(given), value: (given) => valueIn(given, (part) => text(part), deepest), settled };
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
