/** An object that is written with the signs of Chinese or of word processors: `{“q”：“潮汐”}`. Pure, one pass. */
import { isSpace } from './labels.ts';

export interface Narrowed {
  /** The object with the signs of JSON. */
  readonly text: string;
  /** Behind it in the text it stands in; the end of that where it never closes. */
  readonly end: number;
}

interface State {
  readonly parts: string[];
  depth: number;
  /** The sign that closes the string, or ''. */
  quote: string;
  /** A key or a value may begin here. */
  fresh: boolean;
}

const narrow: ReadonlyMap<string, string> = new Map([
  ['：', ':'],
  ['，', ','],
  ['、', ','],
]);

/** True where the sign may begin a string and is no sign of JSON. */
export function isWideQuote(sign: string): boolean {
  return sign === '“' || sign === '”';
}

/** The object that begins with the brace at `from`. Signs in its strings stay. */
export function narrowed(text: string, from: number, to: number): Narrowed {
  const state: State = { parts: [], depth: 0, quote: '', fresh: true };
  let at = from;
  while (at < to) {
    at = state.quote === '' ? takeSign(state, text, at) : takeInString(state, text, at);
    if (state.depth === 0) break;
  }
  return { text: state.parts.join(''), end: at };
}

function takeSign(state: State, text: string, at: number): number {
  const sign = text.charAt(at);
  const opens = sign === '"' || isWideQuote(sign) || (sign === "'" && state.fresh);
  if (opens) {
    state.quote = isWideQuote(sign) ? '”' : sign;
    state.parts.push(sign === "'" ? sign : '"');
    return at + 1;
  }
  const plain = narrow.get(sign) ?? sign;
  if (plain === '{' || plain === '[') state.depth++;
  else if (plain === '}' || plain === ']') state.depth--;
  if (!isSpace(sign.charCodeAt(0))) state.fresh = '{[,:'.includes(plain);
  state.parts.push(plain);
  return at + 1;
}

function takeInString(state: State, text: string, at: number): number {
  const sign = text.charAt(at);
  if (sign === '\\') {
    state.parts.push(text.slice(at, at + 2));
    return at + 2;
  }
  const isWide = state.quote === '”';
  if (isWide ? isWideQuote(sign) && endsValue(text, at + 1) : sign === state.quote && endsString(state, text, at)) {
    state.parts.push(isWide ? '"' : sign);
    state.quote = '';
    state.fresh = false;
  } else state.parts.push(isWide && sign === '"' ? '\\"' : sign);
  return at + 1;
}

function endsString({ quote }: State, text: string, at: number): boolean {
  return quote === '"' || endsValue(text, at + 1);
}

/** A sign stands behind a quote that ends it, behind a few spaces at most. */
function endsValue(text: string, from: number): boolean {
  let at = from;
  while (at - from < 8 && isSpace(text.charCodeAt(at))) at++;
  return at >= text.length || ':：,，、}]'.includes(text.charAt(at));
}
