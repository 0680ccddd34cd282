/** The input of a call as providers take it back. Pure. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';

/** Always an object: servers put it into a template as one, and fail where it is none. */
export function inputObject(input: JsonValue | null): JsonObject {
  if (input === null) return {};
  return isJsonObject(input) ? input : { input };
}
