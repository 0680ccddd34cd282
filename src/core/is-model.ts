/** Whether what was given is a model. Pure. */
import { isJsonObject } from './json.ts';
import type { Model } from './model.ts';

/** Whether it can be asked at all. Never throws. */
export function isModel(value: unknown): value is Model {
  try {
    return (
      isJsonObject(value) &&
      typeof value.provider === 'string' &&
      typeof value.name === 'string' &&
      typeof Reflect.get(value, 'generate') === 'function'
    );
  } catch {
    return false;
  }
}
