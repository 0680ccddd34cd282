/** Any value as plain JSON of bounded size, with words for what JSON lacks. Pure. */
import { describedValue } from './described-value.ts';
import type { JsonValue } from './json.ts';
import { englishValues, type ValueWords } from './value-words.ts';

export interface PlainOptions {
  /** An object that is contained many times is written out each time, and so could grow without end. */
  readonly mostValues: number;
  /** Of all texts together; default five million. */
  readonly mostCharacters?: number;
  readonly words?: ValueWords;
  /** Told of each object for which words stand, and of how many objects contain it. */
  readonly described?: Described | undefined;
}

export type Described = (value: object, level: number) => void;

/**
 * A copy. Total: getters, proxies and `toJSON` are foreign code, and where they throw a word stands for what they would
 * have given. Functions, binary data, streams and the like are described.
 */
export function plainJson(
  value: unknown,
  { mostValues, mostCharacters = manyCharacters, words, described }: PlainOptions,
): JsonValue {
  return plain(value, [], { values: mostValues, characters: mostCharacters, words: words ?? englishValues, described });
}

const manyCharacters = 5_000_000;
const deepest = 100;

/** How much may still be written. */
interface Room {
  values: number;
  characters: number;
  readonly words: ValueWords;
  readonly described: Described | undefined;
}

/** `above` are the objects that contain the value. */
function plain(value: unknown, above: readonly object[], room: Room): JsonValue {
  room.values--;
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return plainText(value, room);
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : String(value); // JSON has no minus zero
  if (typeof value === 'bigint') return plainText(value.toString(), room);
  const { words } = room;
  if (typeof value !== 'object') return describedValue(value, words) ?? words.notShown;
  if (above.includes(value)) return words.circular;
  if (above.length >= deepest) return words.tooDeep;
  if (room.values <= 0) return words.tooMuch;
  try {
    return plainObject(value, [...above, value], room);
  } catch {
    return words.notShown;
  }
}

function plainText(text: string, room: Room): string {
  const { redact, moreCharacters } = room.words;
  const isLong = text.length > room.characters + longestSecret;
  const clean = redact?.(isLong ? text.slice(0, room.characters + longestSecret) : text) ?? text;
  // What is hidden may be longer or shorter than it was: the end of what was cut stays away from the end of what is shown.
  const most =
    isLong && redact !== undefined ? Math.min(room.characters, clean.length - 3 * longestSecret) : room.characters;
  const shown = clean.slice(0, Math.max(0, most));
  room.characters -= shown.length;
  return shown.length === clean.length && !isLong ? clean : shown + moreCharacters(text.length - shown.length);
}

/** In code units. */
const longestSecret = 10_000;

function plainObject(value: object, above: readonly object[], room: Room): JsonValue {
  const described = describedValue(value, room.words);
  if (described !== null) {
    room.described?.(value, above.length - 1);
    return plainText(described, room);
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') return plain(value.toJSON(), above, room);
  if (Array.isArray(value)) return plainList(value, above, room);
  if (value instanceof Set) return plainList(some(Set.prototype.values.call(value), room), above, room, value.size);
  if (value instanceof Map) return plainMap(value, above, room);
  return plainMembers(value, above, room);
}

function plainMembers(value: object, above: readonly object[], room: Room): JsonValue {
  const keys = Object.keys(value);
  const members: [string, JsonValue][] = [];
  let shown = 0;
  for (; shown < keys.length && room.values > 0; shown++) {
    const key = keys[shown] ?? '';
    const item = memberOf(value, key, room.words);
    if (item !== undefined) members.push([plainText(key, room), plain(item, above, room)]);
  }
  if (shown < keys.length) members.push(['…', room.words.more(keys.length - shown)]);
  const kind = keys.length === 0 ? classOf(value) : null;
  if (kind !== null) return room.words.bare(kind);
  // A member `__proto__` is data here like any other: fromEntries defines it, an assignment would not.
  return Object.fromEntries(members);
}

function memberOf(value: object, key: string, words: ValueWords): unknown {
  try {
    return Reflect.get(value, key);
  } catch {
    return words.notShown;
  }
}

function plainMap(value: ReadonlyMap<unknown, unknown>, above: readonly object[], room: Room): JsonValue {
  const entries = some(Map.prototype.entries.call(value), room).filter(([, item]) => item !== undefined);
  const members = entries.map(([key, item]): [string, JsonValue] => [
    keyText(key, above, room),
    plain(item, above, room),
  ]);
  if (entries.length < value.size && room.values <= 0)
    members.push(['…', room.words.more(value.size - entries.length)]);
  return Object.fromEntries(members);
}

/** A key that is an object is shown as its JSON. */
function keyText(key: unknown, above: readonly object[], room: Room): string {
  if (typeof key !== 'object' && typeof key !== 'function') return plainText(String(key), room);
  const shown = plain(key, above, room);
  return (typeof shown === 'string' ? shown : JSON.stringify(shown)).slice(0, 200);
}

function plainList(items: readonly unknown[], above: readonly object[], room: Room, length = items.length): JsonValue {
  const shown: JsonValue[] = [];
  const most = Math.min(items.length, Math.max(0, room.values));
  for (let index = 0; index < most; index++) shown.push(plain(items[index], above, room));
  return shown.length < length ? [...shown, room.words.more(length - shown.length)] : shown;
}

/** As many as there is room for. */
function some<Item>(items: Iterable<Item>, { values }: Room): Item[] {
  const taken: Item[] = [];
  if (values <= 0) return taken;
  for (const item of items) if (taken.push(item) >= values) break;
  return taken;
}

/** The name of the class of an object; null for a plain one. */
function classOf(value: object): string | null {
  const above: unknown = Object.getPrototypeOf(value);
  if (above === null || above === Object.prototype || typeof above !== 'object') return null;
  const maker: unknown = Reflect.get(above, 'constructor');
  return typeof maker !== 'function' || maker.name === 'Object' ? null : maker.name.slice(0, 100) || null;
}
