/**
 * Cases that cannot pass yet: those that need a part which comes later, and those that found a defect which is not mended.
 * Both lists can only shrink: a case on them that passes must leave.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const shape = z.strictObject({
  later: z.array(z.strictObject({ id: z.string(), part: z.string(), issue: z.string() })),
  defects: z.array(z.strictObject({ id: z.string(), what: z.string() })),
});

/** Why a case may fail, in words, by its id. */
export type Later = ReadonlyMap<string, string>;

export function readLater(text: string): Later {
  const { later, defects } = shape.parse(JSON.parse(text));
  const listed: readonly (readonly [string, string])[] = [
    ...later.map(({ id, part, issue }) => [id, `needs ${part} ("${issue}")`] as const),
    ...defects.map(({ id, what }) => [id, `a defect: ${what}`] as const),
  ];
  const twice = listed.find(([id], at) => listed.findIndex(([other]) => other === id) < at);
  if (twice !== undefined) throw new Error(`${twice[0]} is listed twice`);
  return new Map(listed);
}

export const listedLater: Later = readLater(readFileSync(new URL('later.json', import.meta.url), 'utf8'));
