/** A dialect of ours by its name, or one from a module of the user. */
import type { Dialect } from '../protocol/dialect.ts';
import { loadOne } from './load-one.ts';
import { dialectShape } from './schemas.ts';

const form = 'Such as: export const dialect = { name, serverStops, instructions, scanner, writeObservation };';

/** Whether it can be meant as a file: a name has none of these. */
function isPath(value: string): boolean {
  return /[./\\]/.test(value);
}

/** Throws misuse where the module holds no dialect. */
export async function loadDialect(value: string): Promise<string | Dialect> {
  return isPath(value) ? loadOne(value, { name: 'dialect', form, is: isDialect }) : value;
}

function isDialect(value: unknown): value is Dialect {
  return dialectShape.safeParse(value).success;
}
