/** What must hold of a run that was killed on its way, next to the one that was not. Gives what is wrong, in words. */
import type { StepCall } from '../../src/core/outcome.ts';
import type { Played } from './play.ts';
import { type EffectLine, runId, type ToolName, tools } from './scripted-run.ts';

export function problemsOf(played: Played, whole: Played): readonly string[] {
  return rules.flatMap((rule) => rule(played, whole));
}

/** Calls of which nobody knows, and whether their effect is there. */
export function unknownIn({ report, effects }: Played): { readonly told: number; readonly happened: number } {
  const keys = report.outcome.unknown.map(({ toolCallId }) => keyOf(toolCallId));
  return { told: keys.length, happened: keys.filter((key) => effects.some((effect) => effect.key === key)).length };
}

type Rule = (played: Played, whole: Played) => readonly string[];

const rules: readonly Rule[] = [
  nothingTwice,
  nothingUntold,
  sameEnd,
  sameSteps,
  sameConversation,
  budgetsGoOn,
  ({ report: { status } }) =>
    status === 'ended final' ? [] : [`the store says "${status}" of a run that has its answer`],
];

/** One key a call, and one call an effect. An idempotent tool may see its key again. */
function nothingTwice({ effects }: Played): readonly string[] {
  const texts = effects.map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`);
  return effects.flatMap((effect, index) => {
    const text = texts[index] ?? '';
    const first = texts.indexOf(text);
    if (first === index) return [];
    const isSame = effects[first]?.key === effect.key;
    if (isNamed(effect.tool) && 'idempotent' in tools[effect.tool].mark && isSame) return [];
    return [`${text} was done twice, with ${isSame ? 'one key' : 'two keys'}`];
  });
}

/** Every effect is a call that succeeded, or one that is told as unknown; and every call that succeeded has its effect. */
function nothingUntold({ effects, report: { outcome }, killed }: Played): readonly string[] {
  const calls = callsIn(outcome.steps);
  const unknown = new Set(outcome.unknown.map(({ toolCallId }) => toolCallId));
  const has = (key: string) => effects.some((effect) => effect.key === key);
  const untold = ({ key, tool }: EffectLine) => {
    const call = calls.find(({ toolCallId }) => keyOf(toolCallId) === key);
    if (call === undefined) return [`${tool} was done as ${key}, and there is no such call`];
    const isTold = call.status === 'succeeded' || (call.status === 'unknown' && unknown.has(call.toolCallId));
    return isTold ? [] : [`${tool} was done as ${key}, and the call is told as ${call.status}`];
  };
  return [
    ...effects.flatMap(untold),
    ...calls
      .filter(({ status, tool, toolCallId }) => status === 'succeeded' && hasEffect(tool) && !has(keyOf(toolCallId)))
      .map(({ toolCallId, tool }) => `${tool} is told as succeeded in ${toolCallId}, and nothing was done`),
    ...calls
      .filter(({ status, tool }) => status === 'unknown' && isAlwaysKnown(tool))
      .map(
        ({ toolCallId, tool }) => `${tool} of ${toolCallId} can be asked about or run again, and is told as unknown`,
      ),
    ...(unknown.size > killed ? [`${unknown.size} calls are unknown, and ${killed} processes were killed`] : []),
  ];
}

function sameEnd({ report: { outcome } }: Played, { report: { outcome: whole } }: Played): readonly string[] {
  const [is, was] = [outcome, whole].map((one) => (one.ok ? one.answer : `${one.stopReason} ${one.error?.message}`));
  return is === was ? [] : [`the answer is ${JSON.stringify(is)}, and was ${JSON.stringify(was)}`];
}

/** But for what became of a call of which nobody knows. */
function sameSteps({ report: { outcome } }: Played, { report: { outcome: whole } }: Played): readonly string[] {
  const steps = [outcome, whole].map((one) =>
    one.steps.map(({ number, thought, answer, violation, calls }) => ({
      ...{ number, thought, answer, violation: violation?.code ?? null },
      calls: calls.map(({ toolCallId, tool, input }) => ({ toolCallId, tool, input })),
    })),
  );
  const other = whole.steps.flatMap(({ number }, at) =>
    JSON.stringify(steps[0]?.[at]) === JSON.stringify(steps[1]?.[at]) ? [] : [`step ${number} is another one`],
  );
  const before = callsIn(whole.steps);
  const changed = callsIn(outcome.steps).flatMap(({ toolCallId, status, observation }) => {
    const was = before.find((call) => call.toolCallId === toolCallId);
    if (status === 'unknown' || (status === was?.status && observation === was.observation)) return [];
    return [`the call ${toolCallId} is ${status} ("${observation}"), and was ${was?.status} ("${was?.observation}")`];
  });
  return outcome.steps.length === whole.steps.length ? [...other, ...changed] : ['there are more steps, or fewer'];
}

/** What the model was shown last, but for results of which nobody knows. */
function sameConversation({ report }: Played, { report: whole }: Played): readonly string[] {
  if (report.messages.length !== whole.messages.length)
    return [`the last request has ${report.messages.length} messages, and had ${whole.messages.length}`];
  const differ = report.messages.filter(
    (message, at) => JSON.stringify(message) !== JSON.stringify(whole.messages[at]) && message.role !== 'tool',
  );
  return differ.map(({ role, content }) => `the model was shown something else: ${role} ${content.slice(0, 80)}`);
}

function budgetsGoOn(played: Played, { report: { outcome: whole } }: Played): readonly string[] {
  const { outcome } = played.report;
  const { steps, toolCalls, totalTokens } = outcome.usage;
  const problems: string[] = [];
  // A prompt whose reply was lost is sent again, and was paid for.
  if (steps < whole.usage.steps || steps > whole.usage.steps + played.killed)
    problems.push(`${steps} model calls are counted, and were ${whole.usage.steps}`);
  if (toolCalls !== whole.usage.toolCalls)
    problems.push(`${toolCalls} tool calls are counted, and were ${whole.usage.toolCalls}`);
  if (totalTokens < whole.usage.totalTokens - explained(played, whole))
    problems.push(`${totalTokens} tokens are counted, and were ${whole.usage.totalTokens}`);
  if (outcome.violations !== whole.violations)
    problems.push(`${outcome.violations} violations are counted, and were ${whole.violations}`);
  return problems;
}

/** The most tokens that later prompts lack where the model was told less of a call than in the whole run: one a character. */
function explained({ report: { outcome } }: Played, whole: Played['report']['outcome']): number {
  const before = callsIn(whole.steps);
  const shorter = callsIn(outcome.steps).map(({ toolCallId, observation }) => {
    const was = before.find((call) => call.toolCallId === toolCallId)?.observation ?? '';
    return Math.max(0, was.length - (observation ?? '').length);
  });
  return shorter.reduce((sum, characters) => sum + characters * whole.steps.length, 0);
}

function callsIn(steps: Played['report']['outcome']['steps']): readonly StepCall[] {
  return steps.flatMap(({ calls }) => calls);
}

const keyOf = (callId: string) => `${runId}:${callId}`;
const isNamed = (tool: string): tool is ToolName => Object.hasOwn(tools, tool);
const hasEffect = (tool: string) => isNamed(tool) && tools[tool].hasEffect;

/** Of such a call it is always known what became of it. */
function isAlwaysKnown(tool: string): boolean {
  if (!isNamed(tool)) return false;
  const { mark } = tools[tool];
  return 'readOnly' in mark || 'idempotent' in mark || 'hasProbe' in tools[tool];
}
