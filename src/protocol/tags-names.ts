/** The names of the tags in the dialect `tags`, what each is for, and how a user's own names are checked. Pure. */
import { AgentError } from '../core/errors.ts';

/** The names of the tags, without brackets, in any case. The first of a list is the one that the instructions teach. */
export interface TagNames {
  /** What the model thinks. Default `thought`, `thoughts`, `reasoning`, `r`. */
  readonly thought?: readonly string[];
  /** A call as JSON: `{"name": …, "arguments": …}`. Default `tool_call`, `action`, `function_call`, `tool`. */
  readonly call?: readonly string[];
  /** Code for the tool that has the tag's own name. Default `execute`. */
  readonly code?: readonly string[];
  /** A tool's name, whose input is the text behind the tag. Default `c`. */
  readonly command?: readonly string[];
  /** The input of a tool whose name stands in a tag before. Default `action_input`, `tool_input`, `input`, `arguments`. */
  readonly input?: readonly string[];
  /** The answer. Default `answer`, `solution`, `final_answer`. */
  readonly answer?: readonly string[];
  /**
   * What only the environment writes. Default `tool_response`, `observation`, `tool_result`, `tool_output`, `result`.
   */
  readonly observation?: readonly string[];
}

type NamedRole = keyof TagNames;

/** `thinking`: set aside in every dialect, unless a user gives the name another role. */
export type TagRole = NamedRole | 'thinking';

export interface NameTable {
  /** By name in lower case. */
  readonly roles: ReadonlyMap<string, TagRole>;
  /** The length of the longest name, in code units. */
  readonly longest: number;
  readonly taught: { readonly thought: string; readonly call: string; readonly answer: string };
}

const defaults: Readonly<Record<NamedRole, readonly string[]>> = {
  thought: ['thought', 'thoughts', 'reasoning', 'r'],
  call: ['tool_call', 'action', 'function_call', 'tool'],
  code: ['execute'],
  command: ['c'],
  input: ['action_input', 'tool_input', 'input', 'arguments'],
  answer: ['answer', 'solution', 'final_answer'],
  observation: ['tool_response', 'observation', 'tool_result', 'tool_output', 'result'],
};
const thinkingNames = ['think', 'thinking'];
const namedRoles = ['thought', 'call', 'code', 'command', 'input', 'answer', 'observation'] as const;
const taughtRoles: readonly NamedRole[] = ['thought', 'call', 'answer'];
const longestName = 64;

/** Throws `invalid_option` for a name that no tag can have, or that stands for two things. */
export function nameTable(names: TagNames): NameTable {
  const roles = new Map<string, TagRole>();
  const given = namedRoles.filter((role) => names[role] !== undefined);
  for (const role of given) addNames(roles, role, names[role] ?? []);
  // A name that the user gave another role is no longer a default of its old one.
  for (const role of namedRoles)
    for (const name of given.includes(role) ? [] : defaults[role]) if (!roles.has(name)) roles.set(name, role);
  for (const name of thinkingNames) if (!roles.has(name)) roles.set(name, 'thinking');
  return {
    roles,
    longest: Math.max(...[...roles.keys()].map((name) => name.length)),
    taught: {
      thought: firstName(roles, 'thought'),
      call: firstName(roles, 'call'),
      answer: firstName(roles, 'answer'),
    },
  };
}

function addNames(roles: Map<string, TagRole>, role: NamedRole, names: readonly string[]): void {
  if (taughtRoles.includes(role) && names.length === 0)
    throw new AgentError('invalid_option', `tags.${role} is empty.`, { hint: 'Give at least one name.' });
  for (const written of names) {
    const name = written.toLowerCase();
    if (!isName(name))
      throw new AgentError('invalid_option', `tags.${role} has the name ${JSON.stringify(written)}.`, {
        hint: `A name has 1 to ${longestName} characters, and none of them is white space or one of < > / =.`,
      });
    const other = roles.get(name);
    if (other !== undefined && other !== role)
      throw new AgentError('invalid_option', `tags.${role} and tags.${other} both have the name "${name}".`, {
        hint: 'Give each name one role.',
      });
    roles.set(name, role);
  }
}

function isName(name: string): boolean {
  if (name.length === 0 || name.length > longestName) return false;
  for (let at = 0; at < name.length; at++) if (!isNameCode(name.charCodeAt(at))) return false;
  return true;
}

/** Neither white space nor `<`, `>`, `/`, `=`. */
export function isNameCode(code: number): boolean {
  return code > 32 && code !== 60 && code !== 62 && code !== 47 && code !== 61 && code !== 0xa0 && code !== 0x3000;
}

function firstName(roles: ReadonlyMap<string, TagRole>, role: NamedRole): string {
  for (const [name, itsRole] of roles) if (itsRole === role) return name;
  throw new AgentError('invalid_option', `tags.${role} has no name left.`, {
    hint: 'Its default names were all given other roles; name it too.',
  });
}
