/** How a dialect writes a step, in data: for the examples in its instructions and for the hint behind a fault. Types only. */
import type { JsonValue } from '../core/json.ts';
import type { Language } from '../core/language.ts';

export interface Form {
  /** What one reply may hold, in one sentence. */
  readonly rule: Readonly<Record<Language, string>>;
  call(thought: string, tool: string, input: JsonValue): string;
  answer(thought: string, answer: string): string;
  /** How a result looks in the examples; default `Observation: …`. */
  observation?(text: string): string;
}
