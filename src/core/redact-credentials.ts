/**
 * Where credentials stand in a text, known by what stands before them: the name of a header, or the `//` of a URL. In header
 * text, JSON (also escaped), curl, printed objects, maps and lists of pairs. One pass for each name, linear. Pure.
 */

/** From, and up to but without. */
export type Range = readonly [from: number, to: number];

/** Also with something before them: `proxy-authorization`, `x-api-key`, `set-cookie`. */
const names = ['authorization', 'api-key', 'api_key', 'apikey', 'cookie'] as const;

/** `://a:b@c` */
const shortest = 8;

export function isCredentialName(name: unknown): boolean {
  return typeof name === 'string' && name.length < 60 && names.some((end) => name.toLowerCase().endsWith(end));
}

export function credentialsIn(text: string): Range[] {
  const found: Range[] = [];
  if (text.length < shortest) return found;
  const lower = text.toLowerCase();
  // One letter has another length in lower case.
  const low = lower.length === text.length ? lower : text.replaceAll('İ', 'i').toLowerCase();
  const look = (sign: string, rangeAt: (text: string, from: number, to: number) => Range | null) => {
    for (let at = low.indexOf(sign); at !== -1; ) {
      const to = at + sign.length;
      const range = rangeAt(text, at, to);
      if (range !== null) found.push(range);
      at = low.indexOf(sign, range === null ? to : range[1]);
    }
  };
  for (const name of names) look(name, valueAt);
  look('bearer ', tokenAt);
  look('://', userAt);
  return found;
}

/** The value behind the name of a header that stands from `from` to `to`; null where there is none. */
function valueAt(text: string, from: number, to: number): Range | null {
  const close = quoteAt(text, to);
  const sign = past(blank, text, to + close.length);
  const separator = text[sign];
  if (separator !== ':' && separator !== '=' && (separator !== ',' || close === '')) return null;
  const behind = sign + (text[sign + 1] === '>' ? 2 : 1);
  const first = past(blank, text, behind);
  const isList = text[first] === '[';
  const at = isList ? past(blank, text, first + 1) : first;
  const open = quoteAt(text, at);
  if (open !== '') return quotedValue(text, at, open, isList ? ',' : separator === ',' ? ':' : '');
  if (separator === ',' || text[behind] === separator) return null;
  return bareValue(text, past(space, text, behind), outerQuote(text, from), separator === ':');
}

/** `on`: what may lead to another quoted text: from a key to its value (`:`), or in a list to the next item (`,`). */
function quotedValue(text: string, at: number, open: string, on: string): Range | null {
  let from = at + open.length;
  let to = closing(text, from, open);
  for (;;) {
    const sign = past(blank, text, to + open.length);
    const next = past(blank, text, sign + 1);
    if (on === '' || text[sign] !== on || !text.startsWith(open, next)) break;
    if (on === ':') from = next + open.length;
    to = closing(text, next + open.length, open);
  }
  return to > from && !isCredentialName(text.slice(from, to)) ? [from, to] : null;
}

/**
 * A scheme with its token, one word alone, or what begins with a token: the rest of the line where `isHeader` (behind a
 * colon). Other words are prose or code.
 */
function bareValue(text: string, at: number, outer: string, isHeader: boolean): Range | null {
  const first = wordEnd(text, at);
  if (first === at) return null;
  const second = past(space, text, first);
  const last = wordEnd(text, second);
  const word = text.slice(at, Math.min(first, at + 20));
  const isNext = isToken(text, second, last);
  if (last > second && (isNext || endsAt(text, last)) && scheme.test(word)) return [at, last];
  if (!isHeader) return isToken(text, at, first) ? [at, first] : null;
  const isAlone = endsAt(text, first) && !typeWord.test(word);
  return isAlone || isNext || isToken(text, at, first) ? [at, valueEnd(text, at, outer)] : null;
}

const scheme = /^(?:bearer|basic|token|apikey|negotiate|ntlm)$/i;
const typeWord = /^(?:string|number|boolean|object|any|null|undefined|true|false|none)$/;
const blank = /\s/;
const space = /[ \t]/;
const quote = /["'`]/;

/** Behind the word `bearer`. */
function tokenAt(text: string, _from: number, to: number): Range | null {
  const end = wordEnd(text, to);
  return end - to > 7 && isToken(text, to, end) ? [to, end] : null;
}

/** User and password of a URL. A name alone, as in `ssh://git@host`, is none. */
function userAt(text: string, _from: number, to: number): Range | null {
  let end = -1;
  let isSecret = false;
  for (let at = to; at < text.length && !/[\s/?#"'`<>\\]/.test(text.charAt(at)); at++) {
    if (text[at] === '@') end = at;
    if (text[at] === ':' && end === -1) isSecret = true;
  }
  return end > to && (isSecret || isToken(text, to, end)) ? [to, end] : null;
}

/** No ordinary word: it has a digit or a sign, or is very long. */
function isToken(text: string, from: number, to: number): boolean {
  return to - from >= 32 || /[\d+/=~]/.test(text.slice(from, to));
}

/** Up to what ends a word in header text, JSON or code. What is hidden already counts as part of one. */
function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    if (text.startsWith('[redacted]', at)) at += 10;
    else if (/[\s"'`\\<>,;(){}[\]&|]/.test(text.charAt(at))) break;
    else at++;
  }
  return at;
}

/** The end of the line, also of one that is escaped, or of what the quote before the name holds. */
function valueEnd(text: string, from: number, outer: string): number {
  let inside = false;
  let last = '';
  for (let at = from; at < text.length; at++) {
    if (isLineEnd(text, at)) return at;
    const sign = quoteAt(text, at);
    if (sign === '') {
      last = text.charAt(at);
      continue;
    }
    // Without a quote before the name, `a="b"` belongs to the value, and any other quote ends it.
    if (outer === '' ? !inside && last !== '=' : sign === outer) return at;
    inside = !inside;
    at += sign.length - 1;
    last = '';
  }
  return text.length;
}

function endsAt(text: string, from: number): boolean {
  const at = past(space, text, from);
  return at === text.length || isLineEnd(text, at) || quoteAt(text, at) !== '';
}

function isLineEnd(text: string, at: number): boolean {
  return /^(?:[\r\n]|\\[rn])/.test(text.slice(at, at + 2));
}

/** The quote before the name and what belongs to it, with its backslashes; empty where there is none. */
function outerQuote(text: string, from: number): string {
  let at = from - 1;
  while (from - at < 40 && /[\w-]/.test(text.charAt(at))) at--;
  if (!quote.test(text.charAt(at))) return '';
  const to = at + 1;
  while (to - at < 8 && text[at - 1] === '\\') at--;
  return text.slice(at, to);
}

/** A quote with the backslashes before it, as in JSON within JSON. */
function quoteAt(text: string, from: number): string {
  let at = from;
  while (at - from < 7 && text[at] === '\\') at++;
  return quote.test(text.charAt(at)) ? text.slice(from, at + 1) : '';
}

/** Where the quote that closes stands, with its backslashes; else the end of the line. */
function closing(text: string, from: number, open: string): number {
  const depth = open.length - 1;
  const sign = open.charAt(depth);
  for (let at = text.indexOf(sign, from); at !== -1; at = text.indexOf(sign, at + 1)) {
    let slashes = 0;
    while (at - slashes > from && text[at - slashes - 1] === '\\') slashes++;
    if (slashes < depth) return at - slashes;
    if ((slashes - depth) % (2 * depth + 2) === 0) return at - depth;
  }
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function past(sign: RegExp, text: string, from: number): number {
  let at = from;
  while (sign.test(text.charAt(at))) at++;
  return at;
}
