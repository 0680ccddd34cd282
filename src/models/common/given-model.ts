/** What is given as a model: what it is in words, its name, and how it is closed. */
import { read } from '../../core/error-text.ts';
import type { Model, ModelName } from '../../core/model.ts';

/** What it is, in a word or two; never the value. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return typeof read(value, 'then') === 'function' ? 'a promise' : 'an object';
  return `a ${typeof value}`;
}

export function nameOf({ provider, name }: ModelName): ModelName {
  return { provider, name };
}

/** Closes what can be closed, each once; rejects with the first error, after all were told. */
export async function closeAll(models: Iterable<Model>): Promise<void> {
  const closing = [...new Set(models)].map(async (model) => {
    if ('close' in model && typeof model.close === 'function') await model.close();
  });
  const failed = (await Promise.allSettled(closing)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
