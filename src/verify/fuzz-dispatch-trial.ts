/** One trial of the target `dispatch`: calls through the gates, those that pass to their tools, and what must hold of it. */

import { looksLikeError } from '../../tools/looks-like-error.ts';
import { endWithin, isWithin, startWithin, tokenUnits } from '../context/tokens.ts';
import type { Clock } from '../core/clock.ts';
import type { CallResult } from '../core/events.ts';
import type { JsonValue } from '../core/json.ts';
import type { Language } from '../core/language.ts';
import { createRedactor } from '../core/redact.ts';
import type { CallState, EffectRecord } from '../core/snapshot.ts';
import type { Verdict } from '../core/verdict.ts';
import type { Within } from '../core/within.ts';
import { type CallOptions, type CallOutcome, runCall } from '../dispatch/call.ts';
import { copyInput } from '../dispatch/copy-input.ts';
import type { Cutter } from '../dispatch/cut.ts';
import { checkCalls } from '../dispatch/gates.ts';
import { messagesIn } from '../dispatch/messages.ts';
import type { JudgeAnswer } from '../dispatch/result.ts';
import type { Toolbox } from '../dispatch/toolbox.ts';
import { callKey } from '../dispatch/verdict.ts';
import { lazyAbort, withAbortSignal } from '../shell/lazy-abort.ts';
import { createWithin } from '../shell/within.ts';
import { broken, mustEqual, short } from './fuzz-target.ts';

const wordsIn = (language: Language) => messagesIn(language, createRedactor([]));

export interface TriedCall {
  readonly tool: string;
  readonly input: JsonValue | null;
  /** The same call has succeeded, or perhaps, before. */
  readonly before: 'succeeded' | 'unknown' | null;
}

export interface TrialOptions {
  readonly calls: readonly TriedCall[];
  readonly language: Language;
  readonly toolbox: Toolbox;
  readonly clock: Clock;
  /** Whether somebody lets the calls run that ask. */
  readonly approves: boolean;
}

export interface Trial {
  readonly done: Promise<void>;
  cancel(): void;
  /** How often something was told so far. */
  told(): number;
  /** Throws where something does not hold. */
  check(): void;
}

export const hookMs = 10_000;
const observationUnits = 2_000;
/** What a message says round what it quotes: names of tools, advice, how much was cut. */
const messageUnits = 4_000;
const longestKey = 200;

const cutter: Cutter = {
  fits: (text) => isWithin(text, observationUnits),
  start: (text, share) => startWithin(text, Math.floor(observationUnits * share)),
  end: (text, share) => endWithin(text, Math.floor(observationUnits * share)),
};

/** What came of a trial so far. */
interface Told {
  readonly verdicts: (readonly Verdict[])[];
  /** For each call that was started. */
  readonly results: CallOutcome[][];
  readonly thrown: unknown[];
}

/** Begins at once. Calls run one after the other. */
export function beginTrial({ calls, language, toolbox, clock, approves }: TrialOptions): Trial {
  const states = calls.map(
    ({ tool, input }, index): CallState => ({ ...blank, callId: `1.${index + 1}`, tool, input }),
  );
  const written = writtenInputs(states);
  const told: Told = { verdicts: [], results: [], thrown: [] };
  const cancels: (() => void)[] = [];
  let finish = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const within = watched(createWithin(clock), (thrown) => {
    told.thrown.push(thrown);
    finish();
  });
  const shared = { toolbox, messages: wordsIn(language), within, hookMs, parsed: new Map<string, unknown>() };
  const time = { nowMs: clock.monotonicMs, leftMs: () => Number.POSITIVE_INFINITY, later: clock.setTimer };
  const calling = { ...shared, ...unchecked, time, looksLikeError, nowMs: clock.monotonicMs };

  const next = (index: number): void => {
    const [verdict, call] = [told.verdicts[0]?.[index], states[index]];
    if (verdict === undefined || call === undefined) return finish();
    if (verdict.pass === 'refuse' || (verdict.pass === 'ask' && !approves)) return next(index + 1);
    const outcomes: CallOutcome[] = [];
    told.results.push(outcomes);
    const keep = (outcome: CallOutcome) => {
      if (outcomes.push(outcome) === 1) next(index + 1);
    };
    cancels.push(runCall({ ...call, effect: verdict.effect }, { ...calling, ...optionsOf(call) }, keep, () => {}));
  };
  const effects = effectsOf(calls);
  const approvalOptions = (toolCallId: string) => ({ toolCallId, messages: [], context: undefined });
  const gates = {
    ...shared,
    effects,
    policy: null,
    twin: () => undefined,
    asksAgain: true,
    missing: () => [],
    startsBefore: () => 0,
    approvalOptions,
    time,
  };
  const cancelChecks = checkCalls(states, gates, (verdicts) => {
    if (told.verdicts.push(verdicts) === 1) next(0);
  });
  cancels.push(cancelChecks);

  return {
    done,
    cancel() {
      for (const cancel of cancels) cancel();
    },
    told: () => told.verdicts.length + told.results.flat().length,
    check() {
      mustHold(told, states);
      if (writtenInputs(states) !== written) throw broken('The input of a call was changed by its tool');
    },
  };
}

const judgeAnswer: JudgeAnswer = (_text, done) => {
  done(null);
  return () => {};
};
const unchecked = { checkResult: null, judgeAnswer };

const blank = {
  repaired: false,
  status: 'started',
  effect: 'unmarked',
  endsRun: false,
  empty: false,
  key: '',
  resultKey: '',
} as const;

function optionsOf({ callId }: CallState): Pick<CallOptions, 'cutter' | 'idempotencyKey' | 'begin' | 'retried'> {
  const idempotencyKey = `fuzz:${callId}`;
  const begin = (attempt: number) => {
    const abort = lazyAbort();
    const given = { toolCallId: callId, idempotencyKey, attempt, messages: [], context: undefined };
    return { abort: abort.abort, toolCallOptions: withAbortSignal(given, abort) };
  };
  return { cutter, idempotencyKey, begin, retried: () => {} };
}

/** What is thrown where a promise settles would be heard by nobody. */
function watched(within: Within, fail: (thrown: unknown) => void): Within {
  const safely =
    <Given>(work: (given: Given) => void) =>
    (given: Given) => {
      try {
        work(given);
      } catch (thrown) {
        fail(thrown);
      }
    };
  return (limitMs, work, settle, afterwards = () => {}) => within(limitMs, work, safely(settle), safely(afterwards));
}

/** Those that are nested so deeply that JSON cannot be written of them are left out. */
function writtenInputs(states: readonly CallState[]): string {
  return JSON.stringify(states.map(({ input }) => copyInput(input)));
}

function effectsOf(calls: readonly TriedCall[]): readonly EffectRecord[] {
  return calls.flatMap(({ tool, input, before }, index): EffectRecord[] => {
    if (before === null || copyInput(input) === undefined) return [];
    return [{ callId: `0.${index}`, tool, input, key: callKey({ tool, input }), status: before }];
  });
}

function mustHold({ verdicts, results, thrown }: Told, calls: readonly CallState[]): void {
  if (thrown.length > 0) throw thrown[0];
  if (verdicts.length > 1) throw broken('The gates gave their verdicts more than once');
  if (results.some((outcomes) => outcomes.length > 1)) throw broken('A call gave more than one result');
  const [given] = verdicts;
  if (given !== undefined) mustBeVerdicts(given, calls);
  for (const outcome of results.flat()) mustBeOutcome(outcome);
}

function mustBeVerdicts(verdicts: readonly Verdict[], calls: readonly CallState[]): void {
  const idsOf = (list: readonly { readonly callId: string }[]) => list.map(({ callId }) => callId);
  mustEqual('The verdicts are of other calls', idsOf(verdicts), idsOf(calls));
  for (const { pass, observation, key } of verdicts) {
    if (pass === 'refuse' && !isText(observation)) throw broken('A refusal says nothing');
    if (key.length > longestKey) throw broken(`The key of a call has ${key.length} characters`);
    if (observation !== null) mustFit(observation);
  }
}

const knownResults: readonly CallResult[] = ['succeeded', 'failed', 'unknown'];

function mustBeOutcome({ result, observation, output, resultKey }: CallOutcome): void {
  if (!knownResults.includes(result)) throw broken(`A result is ${JSON.stringify(result)}`);
  if (!isText(observation)) throw broken(`An observation is ${short(JSON.stringify(observation))}`);
  if (resultKey.length > longestKey) throw broken(`The key of a result has ${resultKey.length} characters`);
  mustEqual('The output is not JSON', JSON.parse(JSON.stringify(output)), output);
  mustFit(observation);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function mustFit(observation: string): void {
  const units = tokenUnits(observation);
  if (units <= observationUnits + messageUnits) return;
  throw broken(`An observation has ${Math.round(units / 4)} tokens: ${short(observation)}`);
}
