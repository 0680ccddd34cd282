/**
 * What was seen while a case was played, as plain data: it may have been seen in another process. The checks judge this
 * and nothing else.
 */
import type { Outcome, StepCall, Usage } from '../../src/index.ts';

/** How a run stands at an end or a pause. */
export interface Ending {
  /** Null: it is suspended, it was interrupted, or there was none. */
  readonly outcome: 'final' | 'error' | null;
  readonly stopReason: string | null;
  /** Where the error came before the run. */
  readonly phase: 'setup' | 'restore' | null;
  readonly answer: string | null;
  /** Message and hint. */
  readonly error: string | null;
  readonly errorCode: string | null;
  readonly partial: string | null;
  readonly steps: number;
  readonly unknown: readonly string[];
  readonly hasSnapshot: boolean;
  readonly violations: number;
  readonly usage: Usage | null;
  /** The calls of all steps. */
  readonly stepCalls: readonly StepCallSeen[];
}

export type StepCallSeen = Pick<StepCall, 'toolCallId' | 'tool' | 'status' | 'observation'> & { readonly step: number };

/** A call that reached the tool's own code. */
export interface CallSeen {
  readonly tool: string;
  readonly source: string | null;
  readonly input: unknown;
  readonly toolCallId: string;
  readonly idempotencyKey: string;
  readonly atMs: number;
  readonly signalAborted: boolean;
}

/** Something that a tool changed in the world, and when. */
export interface EffectSeen {
  readonly tool: string;
  readonly atMs: number;
}

export interface RequestSeen {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  /** All that was sent beside the messages. */
  readonly params: { readonly [name: string]: unknown };
  readonly atMs: number;
}

export interface TraceSeen {
  readonly type: string;
  readonly sequence: number;
  /** Which run wrote it: each restored one counts anew. */
  readonly run: number;
  readonly afterEnd: boolean;
}

/** Measured between the steps, one of each a model call. */
export interface Samples {
  readonly listeners: readonly number[];
  readonly timers: readonly number[];
  readonly snapshots: readonly { readonly steps: number; readonly bytes: number }[];
}

/** What only a process of its own can show. Null where none was started. */
export interface ProcessSeen {
  readonly unhandled: readonly string[];
  readonly warnings: readonly string[];
  /** How it went wrong; null where it ended by itself, with code 0 and the facts written. */
  readonly exit: string | null;
  /** What was still open when it should have ended. */
  readonly openHandles: readonly string[];
}

/** What a build, a compiler or an import showed. Null where it was not asked for. */
export interface SetupSeen {
  readonly compileErrors: readonly string[] | null;
  readonly instantiations: number | null;
  readonly typecheckMs: number | null;
  readonly gzipBytes: number | null;
  readonly bundled: { readonly text: string; readonly builtins: readonly string[] } | null;
  readonly importErrors: readonly string[] | null;
  readonly copies: number | null;
  readonly quickstart: { readonly lines: number; readonly subclass: boolean } | null;
}

export interface Facts {
  /** What fails the case whatever it expects: the script ran out, an event is unknown, a run hangs. */
  readonly broken: readonly string[];
  /** Parts that the case needs and that do not exist. */
  readonly missing: readonly string[];
  readonly ending: Ending;
  /** At the first pause or end. */
  readonly first: Ending | null;
  readonly secondResume: Ending | null;
  /** An exception in place of an outcome. */
  readonly thrown: string | null;
  readonly calls: readonly CallSeen[];
  readonly effects: readonly EffectSeen[];
  readonly requests: readonly RequestSeen[];
  /** The results and observations that the model got, each on its own, request by request. */
  readonly results: readonly (readonly string[])[];
  readonly modelCalls: number;
  readonly approvalRuleCalls: number;
  readonly trace: readonly TraceSeen[];
  readonly traceText: readonly string[];
  /** What the inspector was sent; null without one. */
  readonly inspected: readonly string[] | null;
  readonly inspectorStopped: string | null;
  readonly inspectorOverheadMs: number | null;
  /** Events that wait for a reader who reads nothing before the end. */
  readonly waitingForReader: number | null;
  readonly snapshots: readonly string[];
  readonly outcomeText: string;
  readonly printed: string;
  readonly samples: Samples;
  readonly listenersAfterEnd: number;
  readonly timersAfterEnd: number;
  readonly elapsedMs: number;
  readonly endedAtMs: number | null;
  readonly restored: boolean;
  /** Nothing was left that could have gone on. */
  readonly stuck: boolean;
  readonly prototypeChanged: readonly string[];
  /** One ending a way of the matrix. */
  readonly matrix: readonly { readonly way: string; readonly facts: string }[] | null;
  /** Bytes in use after each collection, with the runs until then. */
  readonly heap: readonly { readonly runs: number; readonly bytes: number }[] | null;
  readonly process: ProcessSeen | null;
  readonly setup: SetupSeen | null;
}

export const noEnding: Ending = Object.freeze({
  outcome: null,
  stopReason: null,
  phase: null,
  answer: null,
  error: null,
  errorCode: null,
  partial: null,
  steps: 0,
  unknown: [],
  hasSnapshot: false,
  violations: 0,
  usage: null,
  stepCalls: [],
});

export const noFacts: Facts = Object.freeze({
  broken: [],
  missing: [],
  ending: noEnding,
  first: null,
  secondResume: null,
  thrown: null,
  calls: [],
  effects: [],
  requests: [],
  results: [],
  modelCalls: 0,
  approvalRuleCalls: 0,
  trace: [],
  traceText: [],
  inspected: null,
  inspectorStopped: null,
  inspectorOverheadMs: null,
  waitingForReader: null,
  snapshots: [],
  outcomeText: '',
  printed: '',
  samples: { listeners: [], timers: [], snapshots: [] },
  listenersAfterEnd: 0,
  timersAfterEnd: 0,
  elapsedMs: 0,
  endedAtMs: null,
  restored: false,
  stuck: false,
  prototypeChanged: [],
  matrix: null,
  heap: null,
  process: null,
  setup: null,
});

export function endingOf(outcome: Outcome): Ending {
  const { ok, stopReason, steps, unknown, violations, usage } = outcome;
  const suspended = stopReason === 'suspended';
  return {
    outcome: ok ? 'final' : suspended ? null : 'error',
    stopReason,
    phase: null,
    answer: ok ? outcome.answer : null,
    error: ok || outcome.error === undefined ? null : `${outcome.error.message} ${outcome.error.hint}`,
    errorCode: ok ? null : (outcome.error?.code ?? null),
    partial: ok ? null : outcome.partial,
    steps: steps.length,
    unknown: unknown.map(({ tool }) => tool),
    hasSnapshot: !ok && outcome.snapshot !== undefined,
    violations,
    usage,
    stepCalls: steps.flatMap(({ number, calls }) =>
      calls.map(({ toolCallId, tool, status, observation }) => ({
        toolCallId,
        tool,
        status,
        observation,
        step: number,
      })),
    ),
  };
}
