/** Damage to a plain document, as data: what happens to which of its values. */
import { isJsonObject, type JsonValue } from '../core/json.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';

export interface Damage {
  /** Which of the document's values, counted over and over. */
  readonly at: number;
  readonly how: 'set' | 'drop' | 'double' | 'swap' | 'add';
  readonly value: JsonValue;
}

/** `numbers` that JSON does not have are drawn too: a document may come from memory. */
export function damages(fc: FastCheck): Arbitrary<readonly Damage[]> {
  const damage = fc.record<Damage>({
    at: fc.nat(2_000),
    how: fc.constantFrom<Damage['how'][]>('set', 'set', 'set', 'drop', 'double', 'swap', 'add'),
    value: fc.constantFrom<JsonValue[]>(
      ...[null, true, false, 0, 1, 2, -1, 0.5, 1e308, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60, '', 'x', '1.1'],
      ...[
        'started',
        'asking',
        'ready',
        'succeeded',
        'final',
        'THOUGHT',
        'running',
        'gating',
        '__proto__',
        [],
        {},
        [null],
        { x: 1 },
      ],
    ),
  });
  return fc.oneof(
    { weight: 3, arbitrary: damage.map((only) => [only]) },
    { weight: 1, arbitrary: fc.array(damage, { maxLength: 3 }) },
  );
}

/** A damaged copy, and what was done, such as `context.step = "x"`. */
export function damagedCopy(
  document: JsonValue,
  damage: readonly Damage[],
): { readonly copy: JsonValue; readonly done: readonly string[] } {
  let copy = document;
  const done: string[] = [];
  for (const each of damage) {
    const paths = pathsIn(copy);
    const path = paths[each.at % Math.max(1, paths.length)] ?? [];
    copy = changed(copy, path, each);
    done.push(`${each.how} ${path.join('.')} ${JSON.stringify(each.value) ?? String(each.value)}`);
  }
  return { copy, done };
}

type Path = readonly (string | number)[];

/** Every value below the document itself. */
function pathsIn(value: JsonValue, above: Path = []): Path[] {
  const inside: readonly (readonly [string | number, JsonValue])[] = isList(value)
    ? [...value.entries()]
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  return inside.flatMap(([key, item]) => [[...above, key], ...pathsIn(item, [...above, key])]);
}

function changed(value: JsonValue, [key, ...rest]: Path, damage: Damage): JsonValue {
  if (key === undefined) return damage.value;
  if (isList(value)) {
    const items = [...value];
    const at = Number(key);
    if (rest.length > 0) items[at] = changed(items[at] ?? null, rest, damage);
    else changeItem(items, at, damage);
    return items;
  }
  if (!isJsonObject(value)) return value;
  const name = String(key);
  const entries = Object.entries(value);
  if (rest.length > 0)
    return Object.fromEntries(
      entries.map(([each, item]) => [each, each === name ? changed(item, rest, damage) : item]),
    );
  return Object.fromEntries(changedMembers(entries, name, damage));
}

function changeItem(items: JsonValue[], at: number, { how, value }: Damage): void {
  const [item = null, other = null] = [items[at], items[at + 1]];
  if (how === 'set') items[at] = value;
  else if (how === 'drop') items.splice(at, 1);
  else if (how === 'double') items.splice(at, 0, item);
  else if (how === 'add') items.splice(at, 0, value);
  else items.splice(at, 2, other, item);
}

type Members = readonly (readonly [string, JsonValue])[];

function changedMembers(entries: Members, name: string, { how, value }: Damage): Members {
  if (how === 'drop') return entries.filter(([each]) => each !== name);
  if (how === 'add' || how === 'double') return [...entries, [`${name}_`, value]];
  if (how === 'set') return entries.map(([each, item]) => [each, each === name ? value : item]);
  // Swapped with the member behind it.
  const at = entries.findIndex(([each]) => each === name);
  const [one, other] = [entries[at], entries[(at + 1) % entries.length]];
  return entries.map(([each, item]) => {
    if (one === undefined || other === undefined) return [each, item];
    return [each, each === one[0] ? other[1] : each === other[0] ? one[1] : item];
  });
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
