/** Reads the text that names a tool in the dialect `json`: a name, or call syntax as in `search("x")`. Pure and total. */
import type { JsonValue } from '../core/json.ts';
import { bracketedEnd } from './bracketed.ts';
import { readArguments, readInput } from './input-text.ts';
import { readAction } from './tool-name.ts';

export interface NamedTool {
  readonly tool: string;
  /** An input stands with the name. */
  readonly hasInput: boolean;
  /** Undefined where it cannot be read. */
  readonly input: JsonValue | null | undefined;
  /** The text in `Finish[x]`; null where it is no such text. */
  readonly answer: string | null;
}

const nothing = { hasInput: false, input: null, answer: null } as const;

/** `written` is trimmed. */
export function readToolText(written: string, tools: readonly string[]): NamedTool {
  if (tools.includes(written) || !/[([{"'“]/.test(written)) return { tool: written, ...nothing };
  const action = readAction(written, 0, tools);
  if (action.kind === 'answer' && action.openAt >= 0) {
    const { to } = bracketedEnd(written, action.openAt + 1);
    return { ...nothing, tool: written, answer: written.slice(action.openAt + 1, to).trim() };
  }
  if (action.kind !== 'call') return { tool: written, ...nothing };
  const { tool, argumentsAt, inputAt } = action;
  if (argumentsAt >= 0) {
    const read = readArguments(written.slice(argumentsAt));
    return { tool, hasInput: true, input: read === null ? undefined : read.input, answer: null };
  }
  if (inputAt < 0) return { tool: written, ...nothing };
  return { tool, hasInput: true, input: readInput(written.slice(inputAt)).input, answer: null };
}
