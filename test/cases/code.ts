/** What a code of `must not` is made of: the shape of its parameters, and a look at the facts. */
import { z } from 'zod';
import type { Facts } from './facts.ts';
import type { Case } from './format.ts';
import { issuesOf } from './issues.ts';

/** What is wrong, in words; null where nothing is. */
export type Code = (params: unknown, facts: Facts, one: Case) => string | null;

/** Parameters that are not of the code make the case fail, as unknown fields do everywhere. */
export function code<Shape extends z.ZodRawShape>(
  shape: Shape,
  look: (params: z.infer<z.ZodObject<Shape>>, facts: Facts, one: Case) => string | null,
): Code {
  const fields = z.object(shape);
  const known = new Set(['code', 'note', ...Object.keys(shape)]);
  return (params, facts, one) => {
    const unknown = Object.keys(Object(params)).filter((name) => !known.has(name));
    if (unknown.length > 0) return `has the unknown parameters ${unknown.join(', ')}`;
    const read = fields.safeParse(params);
    return read.success ? look(read.data, facts, one) : `cannot be checked: ${issuesOf(read.error)}`;
  };
}

/** `seen` is red above `n`; so is what was never measured. */
export function above(n: number, seen: number | null, what: string): string | null {
  if (seen === null) return `${what} was not measured`;
  return seen > n ? `saw ${seen} ${what}, more than ${n}` : null;
}

export function when(red: boolean, words: string): string | null {
  return red ? words : null;
}

export const n = z.number();
export const text = z.string();

/**
 * Real times and compilers depend on the machine. `FUSELOOP_CASES_SLOWNESS=3` gives them three times as long; what runs
 * on virtual time is the same everywhere and is never scaled.
 */
export function slowness(): number {
  const given = Number(process.env.FUSELOOP_CASES_SLOWNESS ?? 1);
  return Number.isFinite(given) && given >= 1 ? given : 1;
}
