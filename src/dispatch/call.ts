/**
 * Runs one call that passed the gates. It never throws and gives exactly one result; thrown, late, refused and cancelled
 * calls all leave through here.
 */
import type { ErrorRecord } from '../core/events.ts';
import type { CallState } from '../core/snapshot.ts';
import type { ToolCallOptions } from '../core/tool.ts';
import { type CallOutcome, failed, mayRunAgain, unknown } from './call-outcome.ts';
import type { CallTime } from './call-time.ts';
import type { Cutter } from './cut.ts';
import { type InputRead, readInput } from './input-gate.ts';
import { isAsyncIterable, lastValue, leaveUnread, mostValues, type Read } from './last-value.ts';
import type { Messages } from './messages.ts';
import { waitFor } from './rate-limit.ts';
import { judgeResult, presented, type ResultOptions } from './result.ts';
import { errorRecord, leavesDoubt, thrownObservation } from './thrown.ts';
import type { CompiledTool, Toolbox } from './toolbox.ts';
import { inTries } from './tries.ts';

export type { CallOutcome };

export interface CallOptions extends ResultOptions {
  readonly toolbox: Toolbox;
  /** Milliseconds, on the monotonic clock of the run. */
  readonly nowMs: () => number;
  /** What the gates made of the input, by call id; missing after a restore, and then read again. */
  readonly parsed: ReadonlyMap<string, unknown>;
  readonly time: CallTime;
  /** The same for every try. */
  readonly idempotencyKey: string;
  /** Makes what a try is given, counted from 1. */
  readonly begin: (attempt: number) => Begun;
  /** Told of each try that is followed by another. */
  readonly retried: (failure: TryFailed) => void;
}

export interface Begun {
  readonly toolCallOptions: ToolCallOptions;
  /** Aborts the signal in `toolCallOptions`. */
  readonly abort: (why: string) => void;
}

export interface TryFailed {
  readonly attempt: number;
  readonly waitMs: number;
  readonly observation: string;
  readonly error: ErrorRecord | null;
}

/**
 * Returns what cancels it: the signal is aborted. A result that comes after the time-out goes to `late`, for the record.
 */
export function runCall(
  call: CallState,
  options: CallOptions,
  done: (outcome: CallOutcome) => void,
  late: (outcome: CallOutcome) => void,
): () => void {
  const tool = options.toolbox.get(call.tool);
  if (tool === undefined) {
    done(failed(options.messages.unknownTool(call.tool.slice(0, 100), null, [...options.toolbox.keys()])));
    return () => {};
  }
  let isOpen = true;
  let cancelExecute = () => {};
  const cancelInput = firstInput(call, tool, options, (read) => {
    if (!read.ok) return done(failed(read.observation));
    cancelExecute = execute(call, tool, read.parsed, options, { done, late });
    if (!isOpen) cancelExecute(); // the tool itself ended the run
  });
  return () => {
    isOpen = false;
    cancelInput();
    cancelExecute();
  };
}

interface Told {
  readonly done: (outcome: CallOutcome) => void;
  readonly late: (outcome: CallOutcome) => void;
}

/** What the gates made of the input; after a restore it is read again. */
function firstInput(
  call: CallState,
  tool: CompiledTool,
  options: CallOptions,
  done: (read: InputRead) => void,
): () => void {
  const { parsed } = options;
  if (!parsed.has(call.callId)) return readInput(call.input, tool, options, done);
  done({ ok: true, parsed: parsed.get(call.callId) });
  return () => {};
}

/** What is left of a call that had been started when the run was interrupted, and must not be started again. */
export function interruptedCall(call: CallState, messages: Messages): CallOutcome {
  return unknown(messages.interrupted(call.tool));
}

/** The last try decides. What comes late of a try before it is told when the call has its result, and so is late for good. */
function execute(call: CallState, tool: CompiledTool, input: unknown, options: CallOptions, told: Told): () => void {
  const { idempotencyKey, time, messages } = options;
  const firstMs = waitFor(tool.window, time);
  if (firstMs > 0 && firstMs >= time.leftMs()) {
    told.done(failed(messages.rateLimit(tool.name, firstMs)));
    return () => {};
  }
  const early: CallOutcome[] = [];
  let isOpen = true;
  let cancelJudging = () => {};
  const late = (outcome: CallOutcome) => {
    if (isOpen) early.push(outcome);
    else told.late(outcome);
  };
  /** `tries`: what the model is told of their number, where there were any. */
  const tell = (outcome: CallOutcome, tries: number) => {
    isOpen = false;
    const isTold = outcome.result === 'failed' && tries > 0;
    told.done(isTold ? { ...outcome, observation: outcome.observation + messages.tried(tries) } : outcome);
    for (const outcome of early) told.late(outcome);
  };
  const cancelTries = inTries(
    {
      tool,
      idempotencyKey,
      time,
      firstMs,
      start(attempt, settle) {
        const begin = (own: unknown) => oneTry(tool, own, options.begin(attempt), options, { settle, late });
        if (attempt === 1) return begin(input);
        return readAgain(call, tool, options, { begin, refuse: (why) => tell(failed(why), attempt - 1) });
      },
      again(read, attempt, waitMs) {
        const { observation, error = null } = withoutResult(read, tool, options);
        options.retried({ attempt, waitMs, observation, error });
      },
    },
    (read, attempt) => {
      const done = (outcome: CallOutcome) => tell(outcome, attempt > 1 ? attempt : 0);
      if (read.kind === 'value') cancelJudging = judgeResult(read.value, call, tool, options, done);
      else done(withoutResult(read, tool, options));
    },
  );
  return () => {
    isOpen = false;
    cancelTries();
    cancelJudging();
  };
}

interface NextTry {
  readonly begin: (input: unknown) => () => void;
  /** There is none: the input cannot be read any more. */
  readonly refuse: (observation: string) => void;
}

/** A tool may write into what it is given: the next try has an input of its own. */
function readAgain(call: CallState, tool: CompiledTool, options: CallOptions, { begin, refuse }: NextTry): () => void {
  let cancelTry = () => {};
  const cancelInput = readInput(call.input, tool, options, (read) => {
    if (read.ok) cancelTry = begin(read.parsed);
    else refuse(read.observation);
  });
  return () => {
    cancelInput();
    cancelTry();
  };
}

interface TryTold {
  readonly settle: (read: Read) => void;
  readonly late: (outcome: CallOutcome) => void;
}

/** The time of the tool is for all that it does, also where it gives its result piece by piece. */
function oneTry(
  tool: CompiledTool,
  input: unknown,
  { toolCallOptions, abort }: Begun,
  options: CallOptions,
  told: TryTold,
): () => void {
  const { within, nowMs } = options;
  const untilMs = nowMs() + tool.timeoutMs;
  let cancelReading = () => {};
  const settle = (read: Read) => {
    if (read.kind === 'late') abort(`${tool.name} took longer than ${tool.timeoutMs} ms.`);
    if (read.kind === 'endless') abort(`${tool.name} gave more than ${mostValues} values.`);
    told.settle(read);
  };
  const cancelExecute = within(
    tool.timeoutMs,
    () => tool.execute(input, toolCallOptions),
    (settled) => {
      if (settled.kind !== 'value' || !isAsyncIterable(settled.value)) return settle(settled);
      cancelReading = lastValue(settled.value, { within, nowMs, untilMs }, settle);
    },
    (settled) => {
      if (settled.kind === 'value' && isAsyncIterable(settled.value)) leaveUnread(settled.value, within);
      if (settled.kind !== 'value') return told.late(withoutResult(settled, tool, options));
      told.late(presented(settled.value, false, tool, options));
    },
  );
  return () => {
    abort('The run no longer wants this result.');
    cancelExecute();
    cancelReading();
  };
}

/** What a tool throws is a failure; but nobody knows what a side effect did at the end of a connection that broke. */
function thrown(what: unknown, tool: CompiledTool, cutter: Cutter, messages: Messages): CallOutcome {
  const isOpen = leavesDoubt(what, tool.effect);
  const observation = thrownObservation(tool.name, what, cutter, messages, !isOpen);
  return (isOpen ? unknown : failed)(observation, errorRecord(what, messages));
}

function withoutResult(
  read: Exclude<Read, { kind: 'value' }>,
  tool: CompiledTool,
  { messages, cutter }: CallOptions,
): CallOutcome {
  switch (read.kind) {
    case 'thrown':
      return thrown(read.thrown, tool, cutter, messages);
    case 'late':
      return timedOut(tool, messages);
    case 'endless': {
      const again = mayRunAgain(tool);
      const observation = messages.tooManyValues(tool.name, mostValues, again);
      return again ? failed(observation) : unknown(observation);
    }
  }
}

/** A read that is late failed. Of anything else nobody knows whether it took effect. */
function timedOut(tool: CompiledTool, messages: Messages): CallOutcome {
  const { name, timeoutMs } = tool;
  const late = mayRunAgain(tool)
    ? failed(messages.timedOut(name, timeoutMs))
    : unknown(messages.timedOutUnknown(name, timeoutMs));
  return { ...late, timedOut: true };
}
