/** One thing from a module of the user: its default export, the one with the name of the flag, or its only one. */
import { messageOf } from '../core/message-of.ts';
import { importModule } from './load-tools.ts';
import { misuse } from './misuse.ts';

export interface Wanted<Value> {
  /** Of the flag and of the export, such as `machine`. */
  readonly name: string;
  /** An example of such a module, for people. */
  readonly form: string;
  readonly is: (value: unknown) => value is Value;
}

/** A function is called for what it makes. Throws misuse where the module holds nothing of the kind. */
export async function loadOne<Value>(path: string, { name, form, is }: Wanted<Value>): Promise<Value> {
  const exported = await importModule(`--${name}`, path);
  const names = Object.keys(exported);
  const candidate = exported.default ?? exported[name] ?? (names.length === 1 ? exported[names[0] ?? ''] : undefined);
  const value = is(candidate) ? candidate : made(candidate, `--${name} ${path}`, { name, form });
  if (is(value)) return value;
  throw misuse(`--${name} ${path}: no ${name} is exported.`, form);
}

function made(candidate: unknown, where: string, { name, form }: { readonly name: string; readonly form: string }) {
  if (typeof candidate !== 'function') return candidate;
  try {
    const value: unknown = Reflect.apply(candidate, undefined, []);
    return value;
  } catch (thrown) {
    throw misuse(`${where}: the function that makes the ${name} threw: ${messageOf(thrown)}`, form, thrown);
  }
}
