/** The keys of a step in the dialect `json`, in whatever case and spelling a model writes them. Pure. */
import type { JsonObject, JsonValue } from '../core/json.ts';

/** Folded: in lower case, without spaces, `_` and `-`. In the order in which they are looked for. */
export const toolKeys = ['action', 'tool', 'toolname', 'function', 'name', '行动', '动作', '操作', '工具'] as const;
export const inputKeys = [
  'actioninput',
  'args',
  'arguments',
  'parameters',
  'params',
  'input',
  'toolinput',
  'toolargs',
  'toolarguments',
  'toolparameters',
  'actionargs',
  '行动输入',
  '动作输入',
  '操作输入',
  '输入',
] as const;
export const answerKeys = ['finalanswer', 'answer', '最终答案', '最终回答', '答案'] as const;
export const thoughtKeys = ['thought', 'thoughts', 'reasoning', '思考', '想法'] as const;
export const wrapperKeys = [
  'command',
  'cmd',
  'action',
  'toolcall',
  'functioncall',
  'function',
  'call',
  'tool',
] as const;
/** Of a list the first counts. */
export const listKeys = ['toolcalls', 'actions', 'functioncalls', 'calls', 'commands'] as const;

const longestKey = 24;

/** What a key means: the same for `Action Input`, `action-input` and `actionInput`. A longer key is no key of a step. */
export function foldKey(key: string): string {
  return key.length > longestKey ? key : key.toLowerCase().replaceAll(/[\s_-]/g, '');
}

export interface Keys {
  /** The value under a folded key; undefined where there is none. */
  value(folded: string): JsonValue | undefined;
  has(folded: string): boolean;
}

/** The members of one object by their folded keys. Of several spellings of one key the first counts. */
export function keysOf(object: JsonObject): Keys {
  const members = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(object)) {
    const folded = foldKey(key);
    if (!members.has(folded)) members.set(folded, value);
  }
  return { value: (folded) => members.get(folded), has: (folded) => members.has(folded) };
}
