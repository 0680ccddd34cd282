/** What every reply is made of: names of tools, inputs, and prose. */
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';

/** The tools that replies call as if they existed. */
export const knownTools: readonly string[] = ['look', 'send', 'fetch_order', 'constructor'];

export function toolNames(fc: FastCheck): Arbitrary<string> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...knownTools) },
    { weight: 1, arbitrary: fc.constantFrom('__proto__', 'toString', 'hasOwnProperty', 'unheard_of', '查询') },
  );
}

/** Plain JSON: what `JSON.parse` gives, so that it equals what is read back. */
export function jsonValues(fc: FastCheck): Arbitrary<JsonValue> {
  return fc.jsonValue({ maxDepth: 3 }).map(plainJson);
}

export function jsonInputs(fc: FastCheck): Arbitrary<JsonObject> {
  const key = fc.oneof(fc.constantFrom('q', 'id', '__proto__', 'constructor', '键'), fc.string({ maxLength: 6 }));
  return fc
    .array(fc.tuple(key, jsonValues(fc)), { maxLength: 4 })
    .map((members) => Object.fromEntries(members.map(([name, value]) => [name, value])));
}

function plainJson(value: unknown): JsonValue {
  const plain: JsonValue = JSON.parse(JSON.stringify(value) ?? 'null');
  return plain;
}

const words = [
  ...['I', 'need', 'the', 'price', 'of', '17', '12.5%', 'order', '"quoted"', "it's", '(perhaps)', 'e.g.', '{x}', 'a=b'],
  ...['查询', '价格，', '订单。', '🙂', 'naïve', 'Action', 'the answer:', 'C:\\new', '<b>', '[1]', '—'],
  'https://a.b/?c=d',
];

/** Words in one line or a few, none of which begins like a label. */
export function prose(fc: FastCheck): Arbitrary<string> {
  const line = fc
    .array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 })
    .map((parts) => ['So', ...parts].join(' '));
  return fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
}
