/** Reads a JSON object as a step: which keys name the tool, its input, the thought, the answer. Pure and total. */
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { parseJson } from './repair.ts';
import { isAnswerName, isNone } from './tool-name.ts';

export type JsonStep =
  | {
      readonly kind: 'call';
      readonly thought: string | null;
      readonly tool: string;
      readonly input: JsonValue | null;
      /** The input stands under a key of its own, so that nothing else in the object can belong to it. */
      readonly isWhole: boolean;
    }
  /** `isWhole`: the answer is a text under a key of its own. */
  | { readonly kind: 'answer'; readonly thought: string | null; readonly answer: string; readonly isWhole: boolean }
  /** An object of the form that names no tool. */
  | { readonly kind: 'no_tool'; readonly thought: string | null };

const toolKeys = ['action', 'tool', 'tool_name', 'function', 'name'] as const;
const inputKeys = ['action_input', 'args', 'arguments', 'parameters', 'params', 'input', 'tool_input'] as const;
const answerKeys = ['final_answer', 'answer', 'Final Answer'] as const;
const thoughtKeys = ['thought', 'thoughts', 'reasoning'] as const;
const wrapperKeys = ['command', 'cmd', 'action', 'tool_call', 'function_call', 'function', 'call', 'tool'] as const;

/** Objects in objects are looked into this deep: `{"response": {"command": {…}}}`. */
const deepestWrapper = 3;

/** Null where the object is no step at all. */
export function stepOf(object: JsonObject, tools: readonly string[], depth = 0): JsonStep | null {
  const thought = thoughtOf(object);
  const direct = directStep(object, tools, thought) ?? answerByKey(object, thought);
  if (direct !== null) return direct;
  const inner = depth < deepestWrapper ? wrapped(object, tools, depth) : null;
  if (inner !== null) return { ...inner, thought: thought ?? inner.thought };
  const hasInput = inputKeys.some((key) => Object.hasOwn(object, key));
  return hasInput || toolKeys.some((key) => Object.hasOwn(object, key)) ? { kind: 'no_tool', thought } : null;
}

/** True where a text that cannot be read as JSON was meant as a step: one of the keys for a tool stands near its start. */
export function looksLikeStep(text: string): boolean {
  const head = text.slice(0, 2_000);
  return [...toolKeys, ...wrapperKeys].some((key) => head.includes(`"${key}"`) || head.includes(`'${key}'`));
}

function directStep(object: JsonObject, tools: readonly string[], thought: string | null): JsonStep | null {
  const key = toolKeys.find((name) => typeof own(object, name) === 'string');
  const named = key === undefined ? undefined : own(object, key);
  if (key === undefined || typeof named !== 'string' || named.trim() === '') return null;
  const tool = named.trim();
  const inputKey = inputKeys.find((name) => Object.hasOwn(object, name));
  if (key === 'name' && inputKey === undefined && !tools.includes(tool) && !isAnswerName(tool, tools)) return null;
  if (isNone(tool) && !tools.includes(tool)) return answerByKey(object, thought) ?? { kind: 'no_tool', thought };
  const input = inputKey === undefined ? otherMembers(object, key) : inputOf(object, inputKey);
  const isWhole = inputKey !== undefined;
  if (!isAnswerName(tool, tools)) return { kind: 'call', thought, tool, input, isWhole };
  return answerByKey(object, thought) ?? answerOf(input, thought, isWhole);
}

/** OpenAI writes `arguments` as JSON in a string; there the object is meant. Under other keys a string is a string. */
function inputOf(object: JsonObject, key: string): JsonValue {
  const value = own(object, key) ?? null;
  if (key !== 'arguments' || typeof value !== 'string' || !value.trimStart().startsWith('{')) return value;
  const spelled = parseJson(value);
  return isJsonObject(spelled) ? spelled : value;
}

/** `{"action": "search", "query": "x"}`: the members that mean nothing else are the input. */
function otherMembers(object: JsonObject, toolKey: string): JsonValue | null {
  const names: readonly string[] = [
    ...thoughtKeys,
    ...answerKeys,
    toolKey,
    'type',
    'id',
    'observation',
    'plan',
    'speak',
  ];
  const members = Object.entries(object).filter(([key]) => !names.includes(key));
  return members.length === 0 ? null : Object.fromEntries(members);
}

function answerByKey(object: JsonObject, thought: string | null): JsonStep | null {
  const key = answerKeys.find((name) => Object.hasOwn(object, name));
  const value = key === undefined ? undefined : own(object, key);
  return value === undefined || value === null ? null : answerOf(value, thought, true);
}

function answerOf(value: JsonValue, thought: string | null, hasKey: boolean): JsonStep {
  return { kind: 'answer', thought, answer: answerText(value), isWhole: hasKey && typeof value === 'string' };
}

/** The text of an answer: a string, the only string in an object, or JSON. */
function answerText(value: JsonValue): string {
  if (typeof value === 'string') return value.trim();
  if (value === null) return '';
  if (!isJsonObject(value)) return JSON.stringify(value);
  const [only, ...others] = Object.values(value);
  return typeof only === 'string' && others.length === 0 ? only.trim() : JSON.stringify(value);
}

function wrapped(object: JsonObject, tools: readonly string[], depth: number): JsonStep | null {
  for (const key of wrapperKeys) {
    const value = own(object, key);
    const step = isJsonObject(value) ? stepOf(value, tools, depth + 1) : null;
    if (step !== null) return step;
  }
  const [only, ...others] = Object.entries(object);
  if (only === undefined || others.length > 0 || !isJsonObject(only[1])) return null;
  if (tools.includes(only[0])) return { kind: 'call', thought: null, tool: only[0], input: only[1], isWhole: true };
  const step = stepOf(only[1], tools, depth + 1);
  // Of an object that was cut nobody knows what else would stand beside this key.
  return step === null || step.kind === 'no_tool' ? step : { ...step, isWhole: false };
}

function thoughtOf(object: JsonObject): string | null {
  for (const key of thoughtKeys) {
    const value = own(object, key);
    const text = isJsonObject(value) ? own(value, 'text') : value;
    if (typeof text === 'string' && text.trim() !== '') return text.trim();
  }
  return null;
}

function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
