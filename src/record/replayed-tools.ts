/**
 * The tools of a replay: they give what was recorded, and do nothing. Today's tools keep their schemas and marks; where there
 * are none, each recorded name is a tool that takes every input that was taken, and is marked as it was.
 */
import type { Doubt } from '../core/doubt.ts';
import { canonicalJson, type JsonValue } from '../core/json.ts';
import { type AnyTool, parentRun, type ToolCallOptions, type ToolRecord } from '../core/tool.ts';
import type { Effect, Verdict } from '../core/verdict.ts';
import type { Messages } from '../dispatch/messages.ts';
import type { CheckResult } from '../dispatch/result.ts';
import { type Failing, failingAs } from './failure-words.ts';
import type { RecordedCall, RecordedFacts } from './recorded-facts.ts';
import type { ReplayTime } from './replay-time.ts';

export interface ReplayedTools {
  readonly tools: ToolRecord;
  readonly checkResult: CheckResult;
  readonly looksLikeError: (text: string) => Doubt | null;
  /** Calls of which today's loop cannot be made to say what was recorded. */
  readonly inexact: ReadonlySet<string>;
}

export interface ToolsOptions {
  readonly names: readonly string[];
  readonly facts: RecordedFacts;
  readonly time: ReplayTime;
  readonly messages: Messages;
  readonly today: ToolRecord | null;
  /** Whether a tool that was too late is so again where it has no time of its own. */
  readonly asLate: boolean;
  /** Of the description of the first tool, where there are no tools of today. */
  readonly filler: string;
}

export function replayedTools({ names, facts, time, messages, today, asLate, filler }: ToolsOptions): ReplayedTools {
  const failings = failingsOf(facts, messages);
  const empties = new Set<unknown>();
  const given = async (callId: string, call: RecordedCall, attempt: number): Promise<unknown> => {
    const retried = call.retried.get(attempt);
    const due = retried ?? call.settled;
    const failing = failings.get(placeOf(callId, retried === undefined ? 0 : attempt));
    if (due === null || failing?.kind === 'late') return never();
    await time.until(due.atMs, due.sequence);
    if (failing?.kind === 'throws') throw failing.thrown;
    if (failing?.kind === 'not accepted' || call.settled === null) return 'recorded';
    const value = resultOf(call.settled);
    if (call.settled.observation.startsWith(messages.foundNothing)) empties.add(value);
    return value;
  };
  const execute = async (
    _input: unknown,
    { toolCallId, attempt, [parentRun]: parent }: ToolCallOptions,
  ): Promise<unknown> => {
    const call = facts.calls.get(toolCallId);
    if (call?.verdict == null) throw new Error('The recorded run made no such call.');
    const spent = call.retried.has(attempt) ? undefined : call.settled?.spent;
    // What an agent spent in all tries is spent again, by the time that the call is settled.
    if (spent !== undefined) parent?.lend({}, () => spent)();
    return given(toolCallId, call, attempt);
  };
  const shared = { execute, empty: (output: unknown) => empties.has(output) };
  const record =
    today === null
      ? names.map((name, index): [string, AnyTool] => [
          name,
          { ...permissiveTool(name, facts, messages), ...shared, description: index === 0 ? filler : '' },
        ])
      : Object.entries(today).map(([name, tool]): [string, AnyTool] => [name, { ...kept(tool), ...shared }]);
  const late = asLate ? lateTools(facts, failings) : new Map<string, number>();
  return {
    tools: Object.fromEntries(
      record.map(([name, tool]) => [name, { ...tool, timeoutMs: tool.timeoutMs ?? late.get(name) }]),
    ),
    checkResult: (_output, { toolCallId }) => {
      const failing = failings.get(placeOf(toolCallId, 0));
      return failing?.kind === 'not accepted' ? failing.why : true;
    },
    looksLikeError: doubtsOf(facts, messages),
    inexact: new Set(
      [...failings].filter(([, failing]) => failing === null).map(([place]) => place.split(' ')[0] ?? ''),
    ),
  };
}

/** A late result is told of by the time-out, and what was in flight at the end of the run never came. */
function never(): Promise<never> {
  return new Promise(() => {});
}

/** Of a try that was followed by another; 0 is the last. */
function placeOf(callId: string, attempt: number): string {
  return `${callId} ${attempt}`;
}

function failingsOf({ calls }: RecordedFacts, messages: Messages): ReadonlyMap<string, Failing | null> {
  const failings = new Map<string, Failing | null>();
  for (const [callId, { tool, verdict, retried, settled }] of calls) {
    const shared = { tool, effect: verdict?.effect ?? 'unmarked' } as const;
    for (const [attempt, { observation }] of retried) {
      const failed = { ...shared, observation, triesBefore: attempt - 1, isRetried: true };
      failings.set(placeOf(callId, attempt), failingAs(failed, messages));
    }
    if (settled === null || settled.result === 'succeeded') continue;
    const last = { ...shared, observation: settled.observation, triesBefore: retried.size, isRetried: false };
    failings.set(placeOf(callId, 0), failingAs(last, messages));
  }
  return failings;
}

/** In milliseconds, by tool: the time that was not enough. */
function lateTools(
  { calls }: RecordedFacts,
  failings: ReadonlyMap<string, Failing | null>,
): ReadonlyMap<string, number> {
  const late = new Map<string, number>();
  for (const [place, failing] of failings) {
    const tool = calls.get(place.split(' ')[0] ?? '')?.tool;
    if (tool !== undefined && failing?.kind === 'late') late.set(tool, failing.timeoutMs);
  }
  return late;
}

/** What has no output as JSON is known by what the model was told of it. */
function resultOf({ output, empty, observation }: NonNullable<RecordedCall['settled']>): JsonValue | undefined {
  if (output !== null) return output;
  return empty === true ? undefined : observation;
}

/** Results of which the model was told that they look like an error, as the look that was taken then saw it. */
function doubtsOf({ calls }: RecordedFacts, messages: Messages): ReplayedTools['looksLikeError'] {
  const doubts = new Map<string, Doubt>();
  for (const { settled } of calls.values()) {
    if (settled === null || settled.output === null) continue;
    const { output, observation } = settled;
    const doubt = (['page', 'trace', 'object', 'text'] as const).find((kind) =>
      observation.startsWith(`${messages.doubtful(kind)}\n`),
    );
    if (doubt !== undefined) doubts.set(typeof output === 'string' ? output : JSON.stringify(output), doubt);
  }
  return (text) => doubts.get(text) ?? null;
}

/** All but what it does and what it gives: a recorded result has been checked. */
function kept(tool: AnyTool): AnyTool {
  const { description, inputSchema, readOnly, sideEffect, idempotent, endsRun, needsApproval } = tool;
  const { timeoutMs, retries, maxCallsPerRun, rateLimit } = tool;
  return {
    ...{ description, inputSchema, readOnly, sideEffect, idempotent, endsRun },
    ...{ timeoutMs, retries, maxCallsPerRun, rateLimit },
    needsApproval:
      typeof needsApproval === 'function'
        ? (input: never, options: never) => Reflect.apply(needsApproval, tool, [input, options])
        : needsApproval,
  };
}

/** As the recorded verdicts show it. */
function permissiveTool(name: string, { calls }: RecordedFacts, messages: Messages): AnyTool {
  const own = [...calls].filter(([, call]) => call.tool === name && call.verdict !== null);
  const verdicts = own.flatMap(([, { verdict }]) => verdict ?? []);
  const tries = own.map(([, { retried }]) => retried.size);
  const limited = own.findIndex(([, { verdict }]) => verdict?.gate === 'callLimit');
  const asked = new Map(verdicts.map((verdict) => [verdict.callId, verdict]));
  return {
    inputSchema: takesWhatWasTaken(
      name,
      own.map(([, call]) => call),
      messages,
    ),
    ...marksOf(verdicts[0]?.effect ?? 'unmarked'),
    endsRun: verdicts.some(({ endsRun }) => endsRun),
    retries: Math.max(0, ...tries),
    maxCallsPerRun:
      limited === -1 ? undefined : own.slice(0, limited).filter(([, { verdict }]) => verdict?.pass !== 'refuse').length,
    needsApproval: verdicts.some(wasChecked)
      ? (_input: never, { toolCallId }: ToolCallOptions) => asksAgain(asked.get(toolCallId), name, messages)
      : undefined,
  };
}

/** By the tool's own function. */
function wasChecked({ rule, gate, pass }: Verdict): boolean {
  return rule === 'needsApproval' || (gate === 'approval' && pass === 'refuse');
}

/** A check that gave no answer gives none again. */
function asksAgain(asked: Verdict | undefined, tool: string, messages: Messages): boolean {
  if (asked?.pass !== 'refuse' || asked.gate !== 'approval') return asked?.pass === 'ask';
  const [before = '', behind = ''] = messages.checkFailed(tool, '\u0001').split('\u0001');
  throw new Error((asked.observation ?? '').slice(before.length, -behind.length));
}

function marksOf(effect: Effect): Pick<AnyTool, 'readOnly' | 'idempotent' | 'sideEffect'> {
  return effect === 'unmarked' ? {} : { [effect]: true };
}

/** A Standard Schema that refuses the inputs that were refused, in the same words. Source: https://standardschema.dev */
function takesWhatWasTaken(tool: string, calls: readonly RecordedCall[], messages: Messages) {
  const [before = '', behind = ''] = messages.badInput(tool, ['\u0001.'], null).split('\u0001.');
  const refused = new Map<string, string>();
  for (const { input, told } of calls.flatMap((call) => refusedInputs(call, messages)))
    refused.set(canonicalJson(input ?? {}), told.slice(before.length, told.length - behind.length));
  const validate = (value: unknown) => {
    const problem = refused.size === 0 ? undefined : refused.get(canonical(value));
    return problem === undefined ? { value } : { issues: [{ message: problem }] };
  };
  return { '~standard': { version: 1, vendor: 'fuseloop', validate } };
}

/** As the model wrote it, or as a person edited it. */
function refusedInputs(
  { verdict, denied }: RecordedCall,
  { edited }: Messages,
): readonly { readonly input: JsonValue | null; readonly told: string }[] {
  const refused: { input: JsonValue | null; told: string }[] = [];
  if (verdict?.gate === 'input' && verdict.observation !== null)
    refused.push({ input: verdict.input, told: verdict.observation });
  if (denied?.cause === 'input' && denied.input !== undefined)
    refused.push({
      input: denied.input,
      told: denied.observation.slice(0, -` ${edited(denied.input)}`.length),
    });
  return refused;
}

function canonical(value: unknown): string {
  const plain: JsonValue = JSON.parse(JSON.stringify(value));
  return canonicalJson(plain);
}
