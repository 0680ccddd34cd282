/**
 * The gates that a call passes before it may start, in this order: known → input schema → duplicate → required → call
 * limit → rate limit → policy and approval. Each passes it on or gives a verdict. They never throw, and give one verdict for
 * each call, in the order of the calls. `needsApproval`, which is foreign code, is asked right behind the input, and so also
 * about calls that a later gate refuses.
 */

import { plainJson } from '../core/plain-json.ts';
import type { CallState, EffectRecord } from '../core/snapshot.ts';
import type { Gate, Verdict } from '../core/verdict.ts';
import { type Allowed, type ApprovalGate, checkAllowed } from './approval-gate.ts';
import { mayRunAgain } from './call-outcome.ts';
import type { CallTime } from './call-time.ts';
import { copyInput } from './copy-input.ts';
import { checkInput } from './input-gate.ts';
import type { Messages } from './messages.ts';
import { nearestTool } from './nearest.ts';
import { waitFor } from './rate-limit.ts';
import type { CompiledTool, Toolbox } from './toolbox.ts';
import { callKey, doSame, type JudgedCall, refuse, verdict } from './verdict.ts';

export interface GateOptions extends ApprovalGate {
  readonly toolbox: Toolbox;
  readonly messages: Messages;
  /** Effects of this run that must not happen twice. */
  readonly effects: readonly EffectRecord[];
  /** An equal call of the same reply that was let through, by its key. */
  readonly twin: (key: string) => string | undefined;
  /** Whether a person may be asked about a repetition. */
  readonly asksAgain: boolean;
  /** Where the gates leave what the schema made of each input, for the call itself. By call id. */
  readonly parsed: Map<string, unknown>;
  /** Of the tools that a run needs before it may end, those that have not succeeded in the steps before. */
  readonly missing: () => readonly string[];
  /** How often a tool was started in the steps before. */
  readonly startsBefore: (tool: string) => number;
  readonly time: CallTime;
}

/** Of an input that is compared. */
const mostValues = 100_000;

type Call = Pick<CallState, 'callId' | 'tool' | 'input'>;

/** Judges the calls one after the other. Returns what cancels it. */
export function checkCalls(
  calls: readonly Call[],
  options: GateOptions,
  done: (verdicts: readonly Verdict[]) => void,
): () => void {
  const verdicts: Verdict[] = [];
  const cancels: (() => void)[] = [];
  // Of this reply, those that were let through count as well.
  const startsBefore = (tool: string) =>
    options.startsBefore(tool) +
    verdicts.filter(({ pass }, at) => pass !== 'refuse' && calls[at]?.tool === tool).length;
  const twin = (key: string) => verdicts.find((other) => doSame(other.key, key) && other.pass !== 'refuse')?.callId;
  // A loop, because a reply may hold thousands of calls: gates that answer at once would nest that deep.
  let isJudging = false;
  const judgeOn = (): void => {
    if (isJudging) return;
    isJudging = true;
    let at = -1;
    // A verdict that is still to come ends the loop, and goes on with it.
    while (at < verdicts.length) {
      at = verdicts.length;
      const call = calls[at];
      if (call === undefined) return done(verdicts);
      cancels.push(
        checkCall(call, { ...options, startsBefore, twin }, (verdict) => {
          verdicts.push(verdict);
          judgeOn();
        }),
      );
    }
    isJudging = false;
  };
  judgeOn();
  return () => {
    for (const cancel of cancels) cancel();
  };
}

/** One call through all gates. Used again for an input that a person edited. */
export function checkCall(call: Call, options: GateOptions, done: (verdict: Verdict) => void): () => void {
  const { messages } = options;
  const tool = options.toolbox.get(call.tool);
  if (tool === undefined) {
    // An input that is nested too deeply cannot be recorded.
    const input = copyInput(call.input ?? {}) === undefined ? null : call.input;
    done(refuse({ ...call, input }, null, 'tool', unknownTool(call.tool, options)));
    return () => {};
  }
  const cancels: (() => void)[] = [];
  const judge = (judged: JudgedCall, allowed: Allowed) => {
    const refused = problemBehind(judged, tool, allowed, options);
    if (refused !== null) return done(refuse(judged, tool, refused.gate, refused.observation));
    if (allowed.kind === 'failed')
      return done(refuse(judged, tool, 'approval', messages.checkFailed(tool.name, allowed.why)));
    done(passed(judged, tool, allowed, options));
  };
  cancels.push(
    checkInput(call.input, tool, options, (checked) => {
      const judged: JudgedCall = { ...call, input: checked.input };
      if (!checked.ok) return done(refuse(judged, tool, 'input', checked.observation));
      options.parsed.set(call.callId, checked.parsed);
      const given: JudgedCall = {
        ...judged,
        ...(checked.coerced.length === 0 ? {} : { coerced: checked.coerced }),
        // What would do the same is the same, however it was written.
        ...(mayRunAgain(tool) ? {} : { made: plainJson(checked.parsed, { mostValues }) }),
      };
      cancels.push(
        checkAllowed(tool, { callId: call.callId, parsed: checked.parsed }, options, (allowed) =>
          judge(given, allowed),
        ),
      );
    }),
  );
  return () => {
    for (const cancel of cancels) cancel();
  };
}

interface Repetition {
  /** What the model is told where it does not run. */
  readonly refused: string;
  /** What a person is told who is asked about it. */
  readonly asked: string;
}

interface Refusal {
  readonly gate: Gate;
  readonly observation: string;
}

/** The duplicate rule, the tools that must come first, the limits, the policy. A person may allow a repetition. */
function problemBehind(call: JudgedCall, tool: CompiledTool, allowed: Allowed, options: GateOptions): Refusal | null {
  const { messages, toolbox } = options;
  const repeats = repetition(call, tool, options);
  if (repeats !== null && (allowed.kind !== 'ask' || !options.asksAgain))
    return { gate: 'duplicate', observation: repeats.refused };
  const missing = tool.endsRun ? options.missing().filter((name) => name !== tool.name) : [];
  if (missing.length > 0) return { gate: 'required', observation: messages.needs(tool.name, missing) };
  const { maxCallsPerRun } = tool;
  if (maxCallsPerRun !== null && options.startsBefore(tool.name) >= maxCallsPerRun)
    return { gate: 'callLimit', observation: messages.callLimit(tool.name, maxCallsPerRun) };
  const waitMs = waitFor(tool.window, options.time);
  if (waitMs > 0 && waitMs >= options.time.leftMs())
    return { gate: 'rateLimit', observation: messages.rateLimit(tool.name, waitMs) };
  if (allowed.kind !== 'deny') return null;
  const reads = [...toolbox.values()].filter(({ effect }) => effect === 'readOnly').map(({ name }) => name);
  return { gate: 'policy', observation: messages.notAllowed(tool.name, reads) };
}

/** What this call would do once more: an effect of this run, or what an equal call of the same reply is about to do. */
function repetition(call: JudgedCall, tool: CompiledTool, { effects, twin, messages }: GateOptions): Repetition | null {
  if (mayRunAgain(tool)) return null;
  const key = callKey(call);
  const before = effects.find((effect) => doSame(effect.key, key));
  const callId = before?.callId ?? twin(key);
  if (callId === undefined) return null;
  const status = before?.status ?? 'waiting';
  const refusals = { succeeded: messages.done, unknown: messages.perhapsDone, waiting: messages.twice };
  return { refused: refusals[status](tool.name, callId), asked: messages.askAgain(callId, status) };
}

function passed(
  call: JudgedCall,
  tool: CompiledTool,
  { kind, rule }: Exclude<Allowed, { readonly kind: 'failed' }>,
  options: GateOptions,
): Verdict {
  if (kind !== 'ask') return { ...verdict(call, tool, 'run'), rule };
  const observation = repetition(call, tool, options)?.asked ?? null;
  return { ...verdict(call, tool, 'ask', 'approval'), rule, observation };
}

function unknownTool(name: string, { toolbox, messages }: GateOptions): string {
  return messages.unknownTool(messages.redactor.text(name).slice(0, 100), nearestTool(name, toolbox), [
    ...toolbox.keys(),
  ]);
}
