/** The commands that go on with a stored run, as they are typed. Pure. */
import type { Budget } from '../core/limits.ts';
import type { Unanswered } from '../core/outcome.ts';
import type { Policy } from '../core/policy.ts';
import type { CallState, Snapshot } from '../core/snapshot.ts';
import type { StopReason } from '../core/stop-reasons.ts';
import type { AgentFlags } from './flags.ts';
import { budgetFlags } from './flags.ts';
import { oneLine } from './plain-text.ts';

export type KeptFlags = Pick<
  AgentFlags,
  'store' | 'model' | 'baseUrl' | 'dialect' | 'tools' | 'language' | 'policy' | 'unattended'
>;

/** The words behind `fuseloop`. An agent is made from its flags anew: the store does not know them. */
export function resumeWords(runId: string, flags: KeptFlags, more: readonly string[] = []): readonly string[] {
  const given: readonly (readonly [string, string | undefined])[] = [
    ['--store', flags.store],
    ['--model', flags.model],
    ['--base-url', flags.baseUrl],
    ['--dialect', flags.dialect],
    ['--tools', flags.tools],
    ['--language', flags.language],
    ['--policy', policyText(flags.policy)],
  ];
  const words = given.flatMap(([flag, value]) => (value === undefined ? [] : flagWords(flag, value)));
  return ['resume', ...(runId.startsWith('-') ? [...words, ...more, '--', runId] : [runId, ...words, ...more])];
}

export function resumeCommand(runId: string, flags: KeptFlags, more: readonly string[] = []): string {
  return commandLine(resumeWords(runId, flags, more));
}

/** A value that begins with a dash would be taken for a flag. */
function flagWords(flag: string, value: string): readonly string[] {
  return value.startsWith('-') ? [`${flag}=${value}`] : [flag, value];
}

function policyText(policy: Policy | undefined): string | undefined {
  return typeof policy === 'object' ? `allow:${policy.allow.join(',')}` : policy;
}

function commandLine(words: readonly string[]): string {
  return ['fuseloop', ...words].map((word) => oneLine(quoted(word))).join(' ');
}

/** As the shell of the system takes it for one word. */
function quoted(word: string, platform: string = process.platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (platform === 'win32') return `"${word.replaceAll('"', '\\"')}"`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command for each decision about the calls that wait. */
export function decisionCommands(runId: string, flags: KeptFlags, waiting: readonly WaitingCall[]): readonly string[] {
  const [first] = waiting;
  if (first === undefined) return [];
  const { callId } = first;
  const input = JSON.stringify(first.input);
  return [
    ...waiting.map((call) => resumeCommand(runId, flags, ['--approve', call.callId])),
    `${resumeCommand(runId, flags, ['--deny', callId, '--why'])} "…"`,
    resumeCommand(runId, flags, ['--edit', callId, input.length > longestInput ? '{…}' : input]),
  ];
}

/** In code units. */
const longestInput = 200;

export type WaitingCall = Pick<CallState, 'callId' | 'tool' | 'input'>;

/** The calls about which a person is asked. */
export function waitingIn({ state, context }: Pick<Snapshot, 'state' | 'context'>): readonly WaitingCall[] {
  if (typeof state === 'string' || state.ACTION !== 'awaitingApproval') return [];
  return context.calls.filter(({ status }) => status === 'asking');
}

/** What to type next, line by line; null for an end from which no run goes on. */
export function nextLines({ runId, stopReason, snapshot }: Unanswered, flags: KeptFlags): readonly string[] | null {
  if (snapshot === undefined) return null;
  if (stopReason === 'suspended')
    return ['Decide, and the run goes on:', ...decisionCommands(runId, flags, waitingIn(snapshot))];
  const limit = limitOf.get(stopReason);
  if (limit === undefined) return [`To go on: ${resumeCommand(runId, flags)}`];
  const { flag } = budgetFlags.find((one) => one.limit === limit) ?? { flag: limit };
  const more = Math.max(1, 2 * snapshot.context.limits[limit]);
  const value = limit === 'wallClockMs' ? more / 1_000 : more;
  return [`With more it goes on: ${resumeCommand(runId, flags, [`--${flag}`, String(value)])}`];
}

const limitOf: ReadonlyMap<StopReason, keyof Budget> = new Map<StopReason, keyof Budget>([
  ['max_steps', 'maxSteps'],
  ['max_tool_calls', 'maxToolCalls'],
  ['token_budget', 'maxTokens'],
  ['timeout', 'wallClockMs'],
  ['violations_exhausted', 'maxViolations'],
  ['tool_errors_exhausted', 'maxToolErrors'],
]);
