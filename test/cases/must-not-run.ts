/** Codes about the run as a whole: its answer, its end, its counts, and what is left of it afterwards. */
import { above, type Code, code, n, slowness, text, when } from './code.ts';
import { countEvents } from './expect.ts';
import type { Facts } from './facts.ts';
import { quote } from './requests.ts';

export const runCodes: readonly (readonly [string, Code])[] = [
  ['answer_contains', code({ value: text }, ({ value }, { ending: { answer } }) => has(answer, value))],
  [
    'answer_equals',
    code({ value: text }, ({ value }, { ending }) => when(ending.answer === value, `the answer is ${quote(value)}`)),
  ],
  ['model_calls_more_than', code({ n }, (params, { modelCalls }) => above(params.n, modelCalls, 'model calls'))],
  ['http_requests_more_than', code({ n }, (params, { requests }) => above(params.n, requests.length, 'requests'))],
  ['violations_more_than', code({ n }, (params, { ending }) => above(params.n, ending.violations, 'violations'))],
  [
    'approval_rule_calls_more_than',
    code({ n }, (params, { approvalRuleCalls }) => above(params.n, approvalRuleCalls, 'calls of the approval rule')),
  ],
  ['success_status', code({}, (_params, { ending }) => when(ending.outcome === 'final', 'it is reported as success'))],
  [
    'stop_reason',
    code({ value: text }, ({ value }, { ending }) => when(ending.stopReason === value, `it stopped for ${value}`)),
  ],
  ['throws_to_caller', code({}, (_params, { thrown }) => thrown)],
  ['unhandled_rejection', code({}, (_params, { process }) => firstOf(process === null ? null : process.unhandled))],
  ['process_exit', code({}, (_params, { process }) => exitOf(process))],
  [
    'process_warning',
    code({ name: text.optional() }, ({ name = '' }, { process }) =>
      firstOf(process === null ? null : process.warnings.filter((warning) => warning.includes(name))),
    ),
  ],
  ['event_after_end', code({}, (_params, { trace }) => trace.find(({ afterEnd }) => afterEnd)?.type ?? null)],
  [
    'duplicate_event',
    code({ kind: text.optional() }, ({ kind }, facts) => (kind === undefined ? twice(facts) : again(facts, kind))),
  ],
  ['side_effect_after_end', code({ tool: text.optional() }, ({ tool }, facts) => lateEffect(facts, tool))],
  ['open_handles_after_end', code({}, (_params, facts) => openHandle(facts))],
  ['open_spans_after_end', code({ n: n.optional() }, () => 'was not measured: there are no spans')],
  [
    'listeners_on_signal_more_than',
    code({ n }, (params, { samples }) => above(params.n, Math.max(0, ...samples.listeners), 'listeners')),
  ],
  ['listeners_after_end', code({ n }, (params, facts) => above(params.n, facts.listenersAfterEnd, 'listeners'))],
  [
    'elapsed_over_ms',
    code({ n }, (params, { elapsedMs }, { given }) =>
      above(params.n * (given.http === undefined ? 1 : slowness()), Math.round(elapsedMs), 'ms'),
    ),
  ],
  ['usage_total_is', code({ value: n }, ({ value }, facts) => usageIs(facts, 'totalTokens', (seen) => seen === value))],
  [
    'usage_tool_calls_not',
    code({ value: n }, ({ value }, facts) => usageIs(facts, 'toolCalls', (seen) => seen !== value)),
  ],
  [
    'tool_error_counted',
    code({}, (_params, { ending }) =>
      when(
        ending.stopReason === 'tool_errors_exhausted' || ending.stepCalls.some(({ status }) => status !== 'succeeded'),
        'a call counts as failed',
      ),
    ),
  ],
  ['stuck_after_restore', code({}, (_params, facts) => stuck(facts))],
  [
    'snapshot_lost_at_end',
    code({}, (_params, { ending }) =>
      when(ending.outcome !== 'final' && ending.phase === null && !ending.hasSnapshot, 'the outcome holds no snapshot'),
    ),
  ],
  ['prototype_changed', code({}, (_params, { prototypeChanged }) => firstOf(prototypeChanged))],
];

function has(answer: string | null, value: string): string | null {
  return when(answer?.includes(value) ?? false, `the answer has ${quote(value)}`);
}

function firstOf(list: readonly string[] | null): string | null {
  return list === null ? 'was not measured' : (list[0] ?? null);
}

/** A rejection that nobody takes ends a process that does not listen for it. */
function exitOf(process: Facts['process']): string | null {
  return process === null ? 'was not measured' : (process.exit ?? process.unhandled[0] ?? null);
}

function twice({ trace }: Facts): string | null {
  const places = trace.map(({ run, sequence }) => `${run}:${sequence}`);
  return when(new Set(places).size < places.length, 'two events have one place in the trace');
}

/** A run ends once, and so does each one that goes on from a snapshot. */
function again(facts: Facts, kind: string): string | null {
  const runs = [...new Set(facts.trace.map(({ run }) => run))];
  const most = Math.max(0, ...runs.map((run) => countEvents(ofRun(facts, run), kind)));
  return when(most > 1, `${kind} came ${most} times`);
}

function ofRun(facts: Facts, run: number): Facts {
  return { ...facts, trace: facts.trace.filter((event) => event.run === run) };
}

function lateEffect({ effects, endedAtMs }: Facts, tool: string | undefined): string | null {
  if (endedAtMs === null) return 'was not measured: the run has no end';
  const late = effects.find((effect) => effect.atMs > endedAtMs && (tool === undefined || effect.tool === tool));
  return when(late !== undefined, `an effect of ${late?.tool} came ${(late?.atMs ?? 0) - endedAtMs} ms after the end`);
}

function openHandle({ process, timersAfterEnd, listenersAfterEnd }: Facts): string | null {
  if (process === null) return 'was not measured';
  if (process.openHandles.length > 0) return process.openHandles.join(', ');
  return above(0, timersAfterEnd, 'timers') ?? above(0, listenersAfterEnd, 'listeners');
}

function usageIs(
  { ending: { usage } }: Facts,
  name: 'totalTokens' | 'toolCalls',
  red: (seen: number) => boolean,
): string | null {
  if (usage === null) return 'was not measured: there is no usage';
  return when(red(usage[name]), `usage.${name} is ${usage[name]}`);
}

/** A deadline that is reached is how a run ends that does not move. */
function stuck({ restored, stuck: hangs, ending }: Facts): string | null {
  if (!restored) return 'was not measured: nothing was restored';
  return when(hangs || ending.stopReason === 'timeout', 'it did not go on');
}
