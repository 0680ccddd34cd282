/** The beginning of a run's picture, and how its parts are changed: by copy, each other part staying as it is. Pure. */
import { defaults } from '../core/limits.ts';
import type { StatePath } from '../core/snapshot.ts';
import { noTokens, type Spent, type TokenCount, totalTokens, type Usage } from '../core/usage.ts';
import type { CallView, FoldNotes, RunView, StepView } from './run-view.ts';

/** Before the first event. Of a trace that does not begin with a run, nothing more is known. */
export function blankView(): RunView {
  return {
    runId: '',
    task: null,
    model: null,
    dialect: null,
    tools: [],
    policy: null,
    limits: unknownLimits,
    phase: 'running',
    state: 'OBSERVATION',
    stopReason: null,
    answer: null,
    notes: [],
    partial: null,
    failure: null,
    steps: [],
    usage: { ...noTokens, totalTokens: 0, overrun: 0, steps: 0, toolCalls: 0 },
    unknown: [],
    violations: 0,
    violationsInRow: 0,
    toolErrorsInRow: 0,
    messages: [],
    moves: new Map(),
    lastMoves: [],
    startedWallMs: null,
    lastWallMs: 0,
    atMs: 0,
    resumed: 0,
    events: 0,
    ignored: 0,
    missing: 0,
    cut: 0,
    fold: {
      due: 0,
      isOpen: false,
      attempt: 1,
      hint: null,
      isProposed: false,
      cutShort: null,
      nestedSteps: 0,
      told: [],
      isOver: false,
      marks: [],
    },
  };
}

const unknownLimits: RunView['limits'] = Object.freeze({
  ...defaults.budget,
  loopGuard: null,
  maxParallel: 1,
  maxEmptyResults: null,
  modelRetries: 0,
  checksAnswer: false,
});

export function phaseOf(state: StatePath): RunView['phase'] {
  if (state === 'FINAL' || state === 'ERROR') return 'ended';
  return typeof state !== 'string' && state.ACTION === 'awaitingApproval' ? 'waiting' : 'running';
}

export function isInThought(state: StatePath): boolean {
  return typeof state !== 'string' && state.THOUGHT !== undefined;
}

export function isRunning(state: StatePath): boolean {
  return typeof state !== 'string' && state.ACTION === 'running';
}

export function withNotes(view: RunView, notes: Partial<FoldNotes>): RunView {
  return { ...view, fold: { ...view.fold, ...notes } };
}

/** The step in progress; null where the last one was recorded. */
export function openStep(view: RunView): StepView | null {
  return view.fold.isOpen ? (view.steps.at(-1) ?? null) : null;
}

/** The last with that number; where there is none, nothing changes. */
export function changeStep(view: RunView, number: number, change: (step: StepView) => StepView): RunView {
  const at = view.steps.findLastIndex((step) => step.number === number);
  const step = view.steps[at];
  if (step === undefined) return view;
  const changed = change(step);
  return changed === step ? view : { ...view, steps: view.steps.with(at, changed) };
}

export function changeOpen(view: RunView, change: (step: StepView) => StepView): RunView {
  const step = openStep(view);
  return step === null ? view : { ...view, steps: view.steps.with(-1, change(step)) };
}

export function changeCall(step: StepView, callId: string, change: (call: CallView) => CallView): StepView {
  const at = step.calls.findIndex((call) => call.callId === callId);
  const call = step.calls[at];
  return call === undefined ? step : { ...step, calls: step.calls.with(at, change(call)) };
}

export function newStep(number: number, startedAtMs: number): StepView {
  return {
    number,
    startedAtMs,
    repliedAtMs: null,
    endedAtMs: null,
    tries: [],
    ...unread,
    answer: null,
    violation: null,
    dropped: null,
    dialect: null,
    savedTokens: 0,
    loopWarned: false,
  };
}

/** Nothing of a reply. */
export const unread: Pick<StepView, 'thought' | 'reasoning' | 'text' | 'calls' | 'tokens'> = Object.freeze({
  thought: null,
  reasoning: null,
  text: null,
  calls: [],
  tokens: noTokens,
});

export function addTokens(one: TokenCount, other: TokenCount): TokenCount {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    estimated: one.estimated || other.estimated,
  };
}

export function charge(view: RunView, { tokens, steps = 0, toolCalls = 0 }: Partial<Spent>): RunView {
  const { usage, limits } = view;
  const sum = tokens === undefined ? usage : addTokens(usage, tokens);
  const { inputTokens, outputTokens, estimated } = sum;
  const totalled = totalTokens(sum);
  const spent: Usage = {
    ...{ inputTokens, outputTokens, estimated },
    totalTokens: totalled,
    overrun: Math.max(0, totalled - limits.maxTokens),
    steps: usage.steps + steps,
    toolCalls: usage.toolCalls + toolCalls,
  };
  return { ...view, usage: spent };
}

/** The last thought, or the beginning of an answer that was cut. */
export function withPartial(view: RunView): RunView {
  const partial = view.fold.cutShort ?? view.steps.findLast(({ thought }) => thought !== null)?.thought ?? null;
  return partial === view.partial ? view : { ...view, partial };
}

/** So many events a run can be taken up behind: a crash loses the last few of them. */
const mostMarks = 200;

/** Remembers where the run is, so that it can be taken up here. */
export function marked(view: RunView): RunView {
  const { fold, steps, messages } = view;
  const last = steps.at(-1) ?? null;
  const bare: RunView = { ...view, steps: [], messages: [], fold: { ...fold, marks: [] } };
  const mark = { view: bare, steps: steps.length, last, messages: messages.length };
  return { ...view, fold: { ...fold, marks: [...fold.marks.slice(1 - mostMarks), mark] } };
}
