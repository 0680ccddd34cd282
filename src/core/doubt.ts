/** What a result may be that looks like a failure, although the tool returned. Types only. */
import type { JsonValue } from './json.ts';

/** An error page, a stack trace, an error object, an error message. */
export type Doubt = 'page' | 'trace' | 'object' | 'text';

/** Looks at a result as text and, where it is JSON, as its value. Null where nothing is odd. */
export type LooksLikeError = (text: string, output: JsonValue | null) => Doubt | null;
