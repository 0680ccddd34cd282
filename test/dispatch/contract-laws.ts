/** What holds of every row: one verdict and one result for each call, within its limits, and nothing behind the end. */
import { expect } from 'vitest';
import type { CallSettled } from '../../src/core/events.ts';
import type { TraceEvent } from '../../src/core/trace.ts';
import type { Verdict } from '../../src/core/verdict.ts';
import { foldTrace } from '../../src/verify/fold.ts';
import type { Fate, Played } from './contract-play.ts';

export function mustBeAsInRow(played: Played): void {
  const { row, outcome, trace, started, effects, tookMs } = played;
  const calls = outcome.steps.flatMap((step) => step.calls);
  expect(calls.map(({ status, observation }, at): Fate => [status, asTold(observation, row.calls[at])])).toEqual(
    row.calls,
  );
  expect(started.map(({ tool }) => tool).join(' ')).toBe(row.started);
  expect(outcome.stopReason).toBe(row.ends ?? 'final');
  expect(outcome.ok ? outcome.answer : undefined).toBe(row.ends === undefined ? (row.answer ?? 'done') : undefined);
  expect(outcome.unknown.map(({ toolCallId }) => toolCallId).join(' ')).toBe(row.unknown ?? '');
  expect(tookMs).toBe(row.tookMs ?? 0);
  expect(trace.filter(({ ignored }) => ignored === true)).toHaveLength(row.late ?? 0);
  if (row.effects !== undefined) expect(effects).toBe(row.effects);
  const gates = verdictsIn(trace).flatMap(({ gate }) => gate ?? []);
  if (row.gates !== undefined) expect(gates).toEqual(row.gates);
  if (row.startedAtMs !== undefined) expect(started.map(({ atMs }) => atMs)).toEqual(row.startedAtMs);
}

/** The pattern of the row where the text has it, so that the whole list can be compared. */
function asTold(told: string | null, expected: Fate | undefined): Fate[1] {
  const part = expected?.[1];
  return part instanceof RegExp && told !== null && part.test(told) ? part : told;
}

/** Holds whatever a row is about. */
export function mustKeepContract(played: Played): void {
  const { trace, armed, afterwards, outcome } = played;
  expect(armed, 'timers that are armed after the end').toBe(0);
  expect(afterwards, 'events after the end').toBe(0);
  expect(trace.at(-1)?.type).toBe('run.ended');
  expect(foldTrace(trace).ended).toBe(true);
  expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome);
  mustHaveOneResultEach(played);
  mustBeToldOnce(played);
  mustBeInTime(played);
  mustBeToldToStop(played);
  mustBeLateToBeIgnored(played);
}

/** The calls of a step are numbered in their order, and each has its one verdict and its one result in the trace. */
function mustHaveOneResultEach({ outcome, trace }: Played): void {
  const kept = keptOf(trace);
  const verdicts = verdictsIn(kept);
  for (const { number, calls } of outcome.steps) {
    expect(calls.map(({ toolCallId }) => toolCallId)).toEqual(calls.map((_, at) => `${number}.${at + 1}`));
    for (const { toolCallId, status, observation } of calls) {
      const own = verdicts.filter(({ callId }) => callId === toolCallId);
      const settled = settledIn(kept).filter(({ callId }) => callId === toolCallId);
      const denied = kept.filter((event) => event.type === 'approval.denied' && event.callId === toolCallId);
      const refused = own.filter(({ pass }) => pass === 'refuse');
      // A run may end before its gates have spoken.
      if (status === 'cancelled') expect(own.length, `verdicts of ${toolCallId}`).toBeLessThanOrEqual(1);
      else expect(own.length, `verdicts of ${toolCallId}`).toBe(1);
      const results = settled.length + denied.length + refused.length;
      const isOpen = status === 'cancelled' || status === 'waiting' || (status === 'unknown' && settled.length === 0);
      expect(results, `results of ${toolCallId}`).toBe(isOpen ? 0 : 1);
      if (!isOpen) expect(observation, toolCallId).toMatch(/\S/);
    }
  }
}

/** In each request every call that was written has its result, once, in its place, as the outcome has it. */
function mustBeToldOnce({ outcome, requests }: Played): void {
  const texts = outcome.steps.flatMap(({ calls }) => calls.map(({ observation }) => observation ?? ''));
  for (const { messages } of requests) {
    const called = messages.flatMap((message) =>
      message.role === 'assistant' ? (message.calls ?? []).map(({ toolCallId }) => toolCallId) : [],
    );
    const told = messages.flatMap((message) => (message.role === 'tool' ? [message] : []));
    expect(told.map(({ toolCallId }) => toolCallId)).toEqual(called);
    for (const [at, { content }] of told.entries()) expect(content).toBe(texts[at]);
  }
}

/** No call takes longer than all its tries, the waits between them, and the checks of what it gave. */
function mustBeInTime({ row, trace }: Played): void {
  const tools = Object.values({ ...row.tools, ...row.later?.tools });
  const longest = Math.max(
    ...tools.map(({ timeoutMs = 1_000, retries = 0 }) => (retries + 1) * timeoutMs + retries * 5_000),
  );
  const hookMs = row.agent?.timeouts?.hookMs ?? 10_000;
  for (const { atMs, startedAtMs } of settledIn(trace))
    expect(atMs - startedAtMs).toBeLessThanOrEqual(longest + 2 * hookMs);
}

/** A tool whose result nobody waits for any more is told so. */
function mustBeToldToStop({ outcome, started }: Played): void {
  const left = outcome.steps
    .flatMap(({ calls }) => calls)
    .filter(({ status, observation }) => status === 'cancelled' || observation?.includes('timed out'));
  for (const { toolCallId } of left) {
    const last = started.findLast(({ options }) => options.toolCallId === toolCallId);
    if (last !== undefined) expect(last.options.abortSignal.aborted, `the signal of ${toolCallId}`).toBe(true);
  }
}

/** A second result of a call is that of a try that took too long, and of no other. */
function mustBeLateToBeIgnored({ trace }: Played): void {
  const lateTries = trace.flatMap((event) =>
    (event.type === 'call.settled' && event.observation.includes('timed out')) ||
    (event.type === 'call.retried' && event.error === null)
      ? [event.callId]
      : [],
  );
  for (const event of trace)
    if (event.type === 'call.settled' && event.ignored === true) expect(lateTries).toContain(event.callId);
}

/** Without what a process recorded behind the snapshot from which the run went on. */
function keptOf(trace: readonly TraceEvent[]): readonly TraceEvent[] {
  const kept: TraceEvent[] = [];
  for (const event of trace) {
    if (event.type === 'run.resumed') kept.splice(event.sequence);
    kept.push(event);
  }
  return kept.filter(({ ignored }) => ignored !== true);
}

function verdictsIn(trace: readonly TraceEvent[]): readonly Verdict[] {
  return trace.flatMap((event) => (event.type === 'calls.checked' && event.ignored !== true ? event.verdicts : []));
}

function settledIn(trace: readonly TraceEvent[]): readonly CallSettled[] {
  return trace.flatMap((event) => (event.type === 'call.settled' && event.ignored !== true ? [event] : []));
}
