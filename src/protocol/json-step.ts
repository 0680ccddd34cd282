/** Reads a JSON object as a step: which keys name the tool, its input, the thought, the answer. Pure and total. */
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import {
  answerKeys,
  foldKey,
  inputKeys,
  type Keys,
  keysOf,
  listKeys,
  thoughtKeys,
  toolKeys,
  wrapperKeys,
} from './json-keys.ts';
import { type NamedTool, readToolText } from './json-tool.ts';
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
  | NoTool;

/**
 * An object of the form that names no tool. `none`: it says that nothing is called. `thought`: it holds a thought alone.
 * `unreadable`: what stands with the name cannot be read.
 */
export interface NoTool {
  readonly kind: 'no_tool';
  readonly thought: string | null;
  readonly because: 'unnamed' | 'none' | 'thought' | 'unreadable';
}

/** Objects in objects are looked into this deep: `{"response": {"command": {…}}}`. */
const deepestWrapper = 3;

interface Parts {
  readonly object: JsonObject;
  readonly keys: Keys;
  readonly tools: readonly string[];
  readonly thought: string | null;
}

/** Null where the object is no step at all. */
export function stepOf(object: JsonObject, tools: readonly string[], depth = 0): JsonStep | null {
  const keys = keysOf(object);
  const thought = thoughtOf(keys);
  const parts: Parts = { object, keys, tools, thought };
  const direct = directStep(parts) ?? answerByKey(parts);
  if (direct !== null) return direct;
  const inner = depth < deepestWrapper ? wrapped(parts, depth) : null;
  if (inner !== null) return { ...inner, thought: thought ?? inner.thought };
  const isForm = [...inputKeys, ...toolKeys].some((key) => keys.has(key));
  if (isForm)
    return { kind: 'no_tool', thought, because: toolKeys.some((key) => keys.value(key) === null) ? 'none' : 'unnamed' };
  const isAlone = Object.keys(object).every((key) => isOneOf(thoughtKeys, foldKey(key)));
  return thought !== null && isAlone ? { kind: 'no_tool', thought, because: 'thought' } : null;
}

function isOneOf(keys: readonly string[], key: string): boolean {
  return keys.includes(key);
}

const stepKeys = [
  ...[...toolKeys, ...wrapperKeys],
  ...['tool_name', 'tool_call', 'function_call', 'tool_calls', 'actions', 'function_calls'],
];

/** True where a text that cannot be read as JSON was meant as a step: one of the keys for a tool stands near its start. */
export function looksLikeStep(text: string): boolean {
  const head = text.slice(0, 2_000).toLowerCase();
  return stepKeys.some((key) => head.includes(`"${key}"`) || head.includes(`'${key}'`));
}

function directStep(parts: Parts): JsonStep | null {
  const { keys, tools, thought } = parts;
  const key = toolKeys.find((name) => typeof keys.value(name) === 'string');
  const text = key === undefined ? undefined : keys.value(key);
  if (key === undefined || typeof text !== 'string' || text.trim() === '') return null;
  const written = text.trim();
  if (isNone(written) && !tools.includes(written))
    return answerByKey(parts) ?? { kind: 'no_tool', thought, because: 'none' };
  const inputKey = inputKeys.find((name) => keys.has(name));
  const named = readToolText(written, tools);
  if (named.answer !== null) return { kind: 'answer', thought, answer: named.answer, isWhole: true };
  const isKnown = tools.includes(named.tool) || isAnswerName(named.tool, tools);
  if (key === 'name' && inputKey === undefined && !isKnown) return null;
  const given = inputKey === undefined ? otherMembers(parts.object, key) : inputOf(keys, inputKey);
  return namedStep(parts, named, isNothing(given) ? null : given, { given, isWhole: inputKey !== undefined });
}

interface Given {
  readonly given: JsonValue | null;
  readonly isWhole: boolean;
}

/** `keyed`: the input under a key of its own, where it holds anything. It counts before one that stands with the name. */
function namedStep(parts: Parts, named: NamedTool, keyed: JsonValue | null, { given, isWhole }: Given): JsonStep {
  const { tools, thought } = parts;
  const { tool } = named;
  if (isAnswerName(tool, tools)) return answerByKey(parts) ?? answerOf(given, thought, isWhole);
  if (!named.hasInput || keyed !== null) return { kind: 'call', thought, tool, input: given, isWhole };
  if (named.input === undefined) return { kind: 'no_tool', thought, because: 'unreadable' };
  return { kind: 'call', thought, tool, input: named.input ?? given, isWhole: true };
}

function isNothing(value: JsonValue | null): boolean {
  return value === null || value === '' || (isJsonObject(value) && Object.keys(value).length === 0);
}

/** OpenAI writes `arguments` as JSON in a string; there the object is meant. Under other keys a string is a string. */
function inputOf(keys: Keys, key: string): JsonValue {
  const value = keys.value(key) ?? null;
  if (key !== 'arguments' || typeof value !== 'string' || !value.trimStart().startsWith('{')) return value;
  const spelled = parseJson(value);
  return isJsonObject(spelled) ? spelled : value;
}

const besides: readonly string[] = [...thoughtKeys, ...answerKeys, 'type', 'id', 'observation', 'plan', 'speak'];

/** `{"action": "search", "query": "x"}`: the members that mean nothing else are the input, under their own keys. */
function otherMembers(object: JsonObject, toolKey: string): JsonValue | null {
  const members = Object.entries(object).filter(([key]) => {
    const folded = foldKey(key);
    return folded !== toolKey && !besides.includes(folded);
  });
  return members.length === 0 ? null : Object.fromEntries(members);
}

function answerByKey({ keys, thought }: Parts): JsonStep | null {
  const key = answerKeys.find((name) => keys.has(name));
  const value = key === undefined ? undefined : keys.value(key);
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

function wrapped({ object, keys, tools }: Parts, depth: number): JsonStep | null {
  for (const key of [...wrapperKeys, ...listKeys]) {
    const value = keys.value(key);
    const first = Array.isArray(value) ? value[0] : value;
    const step = isJsonObject(first) ? stepOf(first, tools, depth + 1) : null;
    if (step !== null) return step;
  }
  const [only, ...others] = Object.entries(object);
  if (only === undefined || others.length > 0 || !isJsonObject(only[1])) return null;
  if (tools.includes(only[0])) return { kind: 'call', thought: null, tool: only[0], input: only[1], isWhole: true };
  const step = stepOf(only[1], tools, depth + 1);
  // Of an object that was cut nobody knows what else would stand beside this key.
  return step?.kind === 'call' || step?.kind === 'answer' ? { ...step, isWhole: false } : step;
}

function thoughtOf(keys: Keys): string | null {
  for (const key of thoughtKeys) {
    const value = keys.value(key);
    const text = isJsonObject(value) ? keysOf(value).value('text') : value;
    if (typeof text === 'string' && text.trim() !== '') return text.trim();
  }
  return null;
}
