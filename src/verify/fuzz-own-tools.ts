/** Tools of the user's under the fuzzer: what in them is a defect, and not a fault that the model should hear of. */
import { messageOf } from '../core/message-of.ts';
import type { CompiledTool, Toolbox } from '../dispatch/toolbox.ts';
import { broken, short } from './fuzz-target.ts';

export interface WatchedToolbox {
  readonly toolbox: Toolbox;
  /** Throws where a tool or its schema showed a defect. */
  check(): void;
}

/** The same tools; what their schemas and their `execute` throw is looked at on its way. */
export function watchTools(tools: Toolbox): WatchedToolbox {
  const defects: string[] = [];
  const toolbox = new Map(
    [...tools].map(([name, tool]) => [name, watchedTool(tool, (defect) => defects.push(defect))]),
  );
  return {
    toolbox,
    check() {
      if (defects[0] !== undefined) throw broken(defects[0]);
    },
  };
}

function watchedTool(tool: CompiledTool, tell: (defect: string) => void): CompiledTool {
  const { name, schema } = tool;
  return {
    ...tool,
    schema: {
      ...schema,
      check: (input) =>
        heard(
          () => schema.check(input),
          (thrown) =>
            tell(`The schema of ${name} threw, where it should say what is wrong: ${short(messageOf(thrown))}`),
        ),
    },
    execute: (input, options) =>
      heard(
        () => tool.execute(input, options),
        (thrown) => {
          if (isDefect(thrown))
            tell(`The tool ${name} threw ${thrown.name} on an input that its schema accepts: ${short(thrown.message)}`);
        },
      ),
  };
}

/** What is thrown or rejected is told, and goes on its way. */
function heard<Value>(work: () => Value, tell: (thrown: unknown) => void): Value {
  try {
    const value = work();
    if (value instanceof Promise) value.then(undefined, tell);
    return value;
  } catch (thrown) {
    tell(thrown);
    throw thrown;
  }
}

/** An error of the language that nobody meant to throw. Those of Node and `fetch` have a code or a cause. */
function isDefect(thrown: unknown): thrown is Error {
  const kinds = [TypeError, ReferenceError, RangeError];
  if (!kinds.some((kind) => thrown instanceof kind) || !(thrown instanceof Error)) return false;
  return !('code' in thrown) && thrown.cause === undefined;
}
