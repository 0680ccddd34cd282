/** What is allowed as a matter of configuration: a policy over the marks of the tools. Pure. */
import { AgentError } from '../core/errors.ts';
import { plainJson } from '../core/plain-json.ts';
import type { Policy } from '../core/policy.ts';
import type { Messages } from './messages.ts';
import type { CompiledTool, Toolbox } from './toolbox.ts';

export const policyNames = ['readOnly', 'dryRun', 'ask', 'all'] as const;

/** `marks`: as the tool's own marks say. */
export type Allowance = 'run' | 'ask' | 'deny' | 'dryRun' | 'marks';

/** Reading never changes the world: there a tool's own marks decide under every policy but `all` and `allow`. */
export function allowance(
  policy: Policy | null,
  { name, effect, isDry }: Pick<CompiledTool, 'name' | 'effect' | 'isDry'>,
): Allowance {
  if (isDry) return 'dryRun';
  if (policy === null) return 'marks';
  if (policy === 'all') return 'run';
  if (typeof policy === 'object' && policy.allow.includes(name)) return 'run';
  if (effect === 'readOnly') return 'marks';
  return policy === 'readOnly' ? 'deny' : 'ask';
}

/** The tools as they run: in a dry run those that do more than read only say what they would have done. */
export function toolsUnder(policy: Policy | null, toolbox: Toolbox, messages: Messages): Toolbox {
  if (policy !== 'dryRun') return toolbox;
  return new Map([...toolbox].map(([name, tool]) => [name, tool.effect === 'readOnly' ? tool : dry(tool, messages)]));
}

/** In code units. */
const longestInput = 500;

function dry(tool: CompiledTool, messages: Messages): CompiledTool {
  const told = (input: unknown) =>
    messages.redactor.text(JSON.stringify(plainJson(input, { mostValues: 1_000 })) ?? '').slice(0, longestInput);
  const execute = (input: unknown) => messages.dryRun(tool.name, told(input));
  // It has no effect, and so leaves none to be remembered, and no place in a rate limit is used.
  return {
    ...tool,
    isDry: true,
    effect: 'readOnly',
    window: null,
    outputSchema: null,
    empty: null,
    probe: null,
    execute,
  };
}

/** Throws AgentError that says what is allowed; `tools` are the names that a list may hold. */
export function readPolicy(given: unknown, tools: readonly string[]): Policy | null {
  if (given === undefined) return null;
  const named = policyNames.find((name) => name === given);
  if (named !== undefined) return named;
  const allow = typeof given === 'object' && given !== null && 'allow' in given ? given.allow : undefined;
  if (!Array.isArray(allow) || !allow.every((name): name is string => typeof name === 'string'))
    throw new AgentError('invalid_option', `policy is ${JSON.stringify(given) ?? String(given)}.`, {
      hint: `It is ${policyNames.map((name) => `'${name}'`).join(', ')} or { allow: ['name of a tool', …] }.`,
    });
  const unknown = allow.find((name) => !tools.includes(name));
  if (unknown !== undefined)
    throw new AgentError('invalid_option', `policy.allow names ${JSON.stringify(unknown)}, which is no tool.`, {
      hint: tools.length === 0 ? 'There are no tools.' : `The tools are: ${tools.join(', ')}.`,
    });
  return { allow: [...allow] };
}
