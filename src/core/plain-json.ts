/** Any value as plain JSON of bounded size, with words for what JSON lacks. Pure. */
import type { JsonValue } from './json.ts';

/**
 * A copy. Getters, proxies and `toJSON` are foreign code: where they throw, so does this. At most `mostValues` values are
 * copied, because an object that is contained many times is written out each time, and so could grow without end.
 */
export function plainJson(value: unknown, mostValues: number): JsonValue {
  return plain(value, [], { values: mostValues });
}

const deepest = 100;

/** How many values may still be written. */
interface Room {
  values: number;
}

/** `above` are the objects that contain the value. */
function plain(value: unknown, above: readonly object[], room: Room): JsonValue {
  room.values--;
  if (value === null || value === undefined || typeof value === 'function' || typeof value === 'symbol') return null;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return typeof value === 'number' || typeof value === 'boolean' ? asJson(value) : null;
  if (above.includes(value)) return '(circular)';
  if (above.length >= deepest) return '(truncated: nested too deep to show)';
  if (room.values <= 0) return '(too much to show)';
  return plainObject(value, [...above, value], room);
}

function plainObject(value: object, above: readonly object[], room: Room): JsonValue {
  if ('toJSON' in value && typeof value.toJSON === 'function') return plain(value.toJSON(), above, room);
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes of binary data)`;
  if (Array.isArray(value)) return plainList(value, above, room);
  if (value instanceof Set) return plainList([...value], above, room);
  const entries: readonly (readonly [unknown, unknown])[] = value instanceof Map ? [...value] : Object.entries(value);
  const given = entries.filter(([, item]) => item !== undefined);
  const shown = given.slice(0, Math.max(0, room.values));
  const members = shown.map(([key, item]): [string, JsonValue] => [String(key), plain(item, above, room)]);
  if (shown.length < given.length) members.push(['…', more(given.length - shown.length)]);
  // A member `__proto__` is data here like any other: fromEntries defines it, an assignment would not.
  return Object.fromEntries(members);
}

function plainList(items: readonly unknown[], above: readonly object[], room: Room): JsonValue {
  const shown = items.slice(0, Math.max(0, room.values)).map((item) => plain(item, above, room));
  return shown.length < items.length ? [...shown, more(items.length - shown.length)] : shown;
}

function more(count: number): string {
  return `(${count} more)`;
}

function asJson(value: number | boolean): JsonValue {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}
