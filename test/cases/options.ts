/**
 * Budget, settings and surroundings of a case in the words of the library; and which parts it asks for that the library
 * does not have.
 */

import { z } from 'zod';
import type { AgentOptions, Budget, LoopGuard, Step, Timeouts } from '../../src/index.ts';
import { needsNewPart } from './behaviours.ts';
import type { Case, Given } from './format.ts';
import { knownApprovals } from './tools.ts';

/** Where a case is silent and its format names no default: more than any case can use. */
const plenty = 2 ** 40;
/** Four plain letters are one token. */
const charsPerToken = 4;
const defaultChars = 8000;

export function agentOptionsOf(one: Case): Partial<AgentOptions> {
  const { given } = one;
  const { sizes, ...settings } = settingsOf(given.settings ?? {});
  const maxObservationTokens = Math.floor((given.budget.maxObservationChars ?? defaultChars) / charsPerToken);
  return {
    budget: budgetOf(given.budget),
    loopGuard: loopGuardOf(given.budget),
    sizes: { maxObservationTokens, ...sizes },
    ...(given.protocol === 'native' ? { dialect: 'native' } : {}),
    ...(given.secrets === undefined ? {} : { redact: given.secrets }),
    ...settings,
  };
}

function budgetOf(budget: Given['budget']): Budget {
  return {
    maxSteps: budget.maxSteps ?? 10,
    maxViolations: budget.maxViolations ?? 3,
    maxToolErrors: budget.maxToolErrors ?? 3,
    maxToolCalls: budget.maxToolCalls ?? plenty,
    maxTokens: budget.tokens ?? plenty,
    wallClockMs: budget.wallClockMs ?? 60_000,
  };
}

/** The library has one number for equal calls and for cycles of them. */
function loopGuardOf({ loop = {}, loopGuard }: Given['budget']): Partial<LoopGuard> | 'off' {
  if (loopGuard === 'off') return 'off';
  const { sameCall, cycle } = loop;
  if (sameCall !== undefined && cycle !== undefined && sameCall !== cycle)
    throw new Error('loop has one number for sameCall and another for cycle; the library knows one for both');
  const endAt = sameCall ?? cycle ?? 3;
  return { endAt, warnAt: Math.min(2, endAt) };
}

function settingsOf(settings: Readonly<Record<string, unknown>>): Partial<AgentOptions> {
  const read = Object.entries(settings).map(([name, value]) => {
    const setting = knownSettings.get(name);
    if (setting === undefined) throw new Error(`the setting ${name} is unknown`);
    return setting(value);
  });
  const timeouts = Object.assign({}, ...read.map((each) => each.timeouts ?? {}));
  return Object.assign({}, ...read, { timeouts });
}

type Setting = (value: unknown) => Partial<AgentOptions>;

function setting<Value>(
  shape: z.ZodType<Value>,
  options: (value: Value) => Partial<AgentOptions> = () => ({}),
): Setting {
  return (value) => options(shape.parse(value));
}

/** Time limits, in the library's words and in plainer ones. */
const timeoutNames: readonly (readonly [string, keyof Timeouts])[] = [
  ['firstTokenMs', 'firstTokenMs'],
  ['betweenTokensMs', 'betweenTokensMs'],
  ['idleTimeoutMs', 'betweenTokensMs'],
  ['modelCallMs', 'modelCallMs'],
  ['modelTimeoutMs', 'modelCallMs'],
  ['approvalMs', 'approvalMs'],
  ['approvalTimeoutMs', 'approvalMs'],
  ['hookMs', 'hookMs'],
  ['toolTimeoutMs', 'toolMs'],
];

const knownSettings: ReadonlyMap<string, Setting> = new Map([
  ['bareInstructions', setting(z.boolean(), (bare) => (bare ? { system: '', examples: false } : {}))],
  ['requireToolBeforeFinal', setting(z.array(z.string()), (tools) => ({ checkAnswer: mustHaveRun(tools) }))],
  // What may not be seen is named in `secrets`, and `redact` has it.
  ['traceSensitive', setting(z.boolean())],
  ['modelRetries', setting(z.number().int().nonnegative(), (modelRetries) => ({ modelRetries }))],
  // The library draws its own waits, at most half a second first; the cases bound them from both sides.
  ['baseDelayMs', setting(z.number().nonnegative())],
  // A call starts as soon as it is surely whole, so that there is nothing to switch on.
  ['startToolsWhileStreaming', setting(z.boolean())],
  // These are of the caller: what he passes and what he reads. `play.ts` obeys them.
  ['callerSignal', setting(z.boolean())],
  ['readOnly', setting(z.literal('finalResult'))],
  // Roles alternate in every request; there is no switch, and the check is among the codes.
  ['strictAlternation', setting(z.boolean())],
  ...timeoutNames.map(([name, key]) => [name, setting(z.number(), (ms) => ({ timeouts: { [key]: ms } }))] as const),
  ['maxReplyTokens', setting(z.number(), (maxReplyTokens) => ({ sizes: { maxReplyTokens } }))],
  ['instructions', setting(z.string(), (instructions) => ({ instructions }))],
  ['language', setting(z.enum(['en', 'zh']), (language) => ({ language }))],
  ['examples', setting(z.boolean(), (examples) => ({ examples }))],
  ['temperature', setting(z.number(), (temperature) => ({ temperature }))],
]);

function mustHaveRun(tools: readonly string[]): (answer: string, steps: readonly Step[]) => true | string {
  return (_answer, steps) => {
    const ran = steps.flatMap(({ calls }) => calls).filter(({ status }) => status === 'succeeded');
    const left = tools.filter((name) => !ran.some(({ tool }) => tool === name));
    return left.length === 0 || `Run ${left.join(', ')} first; then answer.`;
  };
}

/** Parts that the case asks for and the library does not have, in words. */
export function missingParts({ given, expect }: Case): readonly string[] {
  const { budget, tools } = given;
  const codes = expect['must not'].map(({ code }) => code);
  const found: readonly (readonly [boolean, string])[] = [
    [budget.cost !== undefined, 'cost budgets'],
    [budget.contextTokens !== undefined, 'a context window (contextTokens)'],
    [budget.historyKept !== undefined, 'a context window (historyKept)'],
    [hasTwins(tools.map(({ name, source = '' }) => `${source} ${name}`)), 'two tools of one name in one source'],
    [tools.some((tool) => tool.maxCallsPerRun !== undefined), 'maxCallsPerRun'],
    [codes.includes('open_spans_after_end'), 'spans'],
    [codes.includes('pending_store_writes_over'), 'stores for checkpoints'],
  ];
  const behaviours = tools.flatMap(({ behaviour }) => needsNewPart.get(behaviour) ?? []);
  return [...new Set([...found.filter(([needed]) => needed).map(([, part]) => part), ...behaviours])];
}

function hasTwins(names: readonly string[]): boolean {
  return new Set(names).size < names.length;
}

/** What is unknown beyond what the format itself refuses. */
export function unknownWords({ given }: Case): readonly string[] {
  return given.tools.flatMap(({ name, approval }) =>
    approval === undefined || knownApprovals.includes(approval) ? [] : [`${name} has the unknown approval ${approval}`],
  );
}
