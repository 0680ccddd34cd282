/**
 * Words for values that hold no data, or data that cannot be shown as text. They are known by their shape: a stream or a
 * response of another library, or of another realm, is one all the same. Pure.
 */
import { asItIs, errorText, isErrorLike } from './error-text.ts';
import type { ValueWords } from './value-words.ts';

/** Null where the value can be shown as it is. May throw: proxies and getters are foreign code. */
export function describedValue(
  value: object | symbol | ((...inputs: never) => unknown),
  words: ValueWords,
): string | null {
  if (typeof value === 'symbol') return value.toString();
  if (typeof value === 'function') return words.callable;
  if (isErrorLike(value)) return errorText(value, words.redact);
  const kind = kindOf(value);
  if (kind === 'Date') return Number.isNaN(Number(value)) ? words.invalidDate : null;
  if (kind === 'RegExp' || kind === 'URLSearchParams') return String(value);
  if (boxed.has(kind)) return String(value.valueOf());
  return binary(value, kind, words) ?? unread(value, kind, words);
}

const boxed: ReadonlySet<string> = new Set(['String', 'Number', 'Boolean', 'BigInt', 'Symbol']);

function binary(value: object, kind: string, words: ValueWords): string | null {
  if (ArrayBuffer.isView(value)) return words.binary(hasMethod(value, 'readUInt8') ? 'Buffer' : kind, value.byteLength);
  if (kind === 'ArrayBuffer' || kind === 'SharedArrayBuffer')
    return words.binary(kind, numberIn(value, 'byteLength') ?? 0);
  if (kind !== 'Blob' && kind !== 'File') return null;
  const more = [textIn(value, 'name', words), textIn(value, 'type', words)].filter((text) => text !== '');
  return words.binary([kind, ...more].join(' '), numberIn(value, 'size') ?? 0);
}

function unread(value: object, kind: string, words: ValueWords): string | null {
  if (isStream(value)) return words.unread(kind === 'Object' ? 'stream' : kind);
  if (isResponse(value, kind))
    return words.unread(`${kind === 'Request' ? kind : 'Response'} ${numberIn(value, 'status') ?? ''}`.trim());
  if (kind === 'Promise' || hasMethod(value, 'then')) return words.unread('Promise');
  if (hasMethod(value, Symbol.asyncIterator)) return words.unread('AsyncIterator');
  if (kind.endsWith('Generator') || kind.endsWith(' Iterator')) return words.unread('Iterator');
  return null;
}

/** Of the web, or of Node. A stream can be iterated over; its last piece is not its content. */
export function isStream(value: object): boolean {
  const kind = kindOf(value);
  if (kind === 'ReadableStream' || kind === 'WritableStream' || kind === 'TransformStream') return true;
  return hasMethod(value, 'pipe') && hasMethod(value, 'on');
}

function isResponse(value: object, kind: string): boolean {
  if (kind === 'Response' || kind === 'Request') return true;
  return hasMethod(value, 'text') && hasMethod(value, 'json') && 'headers' in value;
}

function kindOf(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1).slice(0, 100);
}

function hasMethod(value: object, name: PropertyKey): boolean {
  return name in value && typeof Reflect.get(value, name) === 'function';
}

function numberIn(value: object, name: string): number | null {
  const found: unknown = Reflect.get(value, name);
  return typeof found === 'number' ? found : null;
}

function textIn(value: object, name: string, { redact = asItIs }: ValueWords): string {
  const found: unknown = Reflect.get(value, name);
  return typeof found === 'string' ? redact(found).slice(0, 100) : '';
}
