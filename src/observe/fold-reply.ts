/** What the requests to the model, and its replies, say of a run. Pure. */
import type { ReplyEnded, ReplyFailed, ReplyFiltered, ReplyStopped, ReplyTruncated } from '../core/events.ts';
import type { ModelAsked, PromptSent } from '../core/journal.ts';
import type { Message } from '../core/model.ts';
import type { ReadCall } from '../core/reading.ts';
import type { TokenCount } from '../core/usage.ts';
import {
  changeOpen,
  changeStep,
  charge,
  isInThought,
  newStep,
  openStep,
  unread,
  withNotes,
  withPartial,
} from './fold-view.ts';
import type { CallView, RunView, StepView, TryView } from './run-view.ts';

type Placed<Event> = Event & { readonly wallMs: number };

export function promptSent(before: RunView, event: Placed<PromptSent>): RunView {
  const { step, attempt, promptTokens, messages, added = [], atMs, wallMs } = event;
  const view = withStep(before, step, atMs);
  const sent: TryView = {
    number: attempt ?? 1,
    sentAtMs: atMs,
    sentWallMs: wallMs,
    promptTokens,
    messages,
    added,
    asked: [],
    endedAtMs: null,
    endedWallMs: null,
    tokens: null,
    finish: null,
    failure: null,
  };
  const tried = changeStep(view, step, (it) => ({ ...it, tries: [...it.tries, sent] }));
  return { ...charge(tried, { steps: attempt === undefined ? 1 : 0 }), messages: conversation(view, messages, added) };
}

function conversation(view: RunView, count: number, added: readonly Message[]): readonly Message[] {
  return added.length === count ? added : [...view.messages, ...added];
}

/** Of a trace with a gap, the step that a prompt belongs to may not have begun. */
function withStep(view: RunView, number: number, atMs: number): RunView {
  if (view.steps.some((step) => step.number === number)) return view;
  return withNotes({ ...view, steps: [...view.steps, newStep(number, atMs)] }, { isOpen: true, attempt: 1 });
}

export function modelAsked(view: RunView, { step, provider, name }: ModelAsked): RunView {
  return changeStep(view, step, (it) =>
    withLastTry(it, (last) => ({ ...last, asked: [...last.asked, { provider, name }] })),
  );
}

function withLastTry(step: StepView, change: (last: TryView) => TryView): StepView {
  const last = step.tries.at(-1);
  return last === undefined ? step : { ...step, tries: step.tries.with(-1, change(last)) };
}

interface EndOfTry {
  readonly atMs: number;
  readonly wallMs: number;
  readonly tokens: TokenCount;
}

/** Its reply was left, or had ended. */
export function withTryEnded(
  step: StepView,
  { atMs, wallMs, tokens }: EndOfTry,
  end: Pick<TryView, 'finish'> & Partial<Pick<TryView, 'failure'>>,
): StepView {
  const ended = withLastTry(step, (last) => ({ ...last, endedAtMs: atMs, endedWallMs: wallMs, tokens, ...end }));
  return end.finish === 'failed' ? ended : { ...ended, repliedAtMs: atMs };
}

export function replyStopped(before: RunView, event: Placed<ReplyStopped>): RunView {
  const { thought, text, tokens, calls, savedTokens = 0, reasoning = null } = event;
  const read = calls.length === 0 ? {} : { text, tokens, reasoning };
  const view = noted(before, (step) => ({ ...step, thought: thought ?? step.thought, ...read }));
  if (isInThought(view.state)) return view;
  const left = changeOpen(view, (step) => ({
    ...withTryEnded(step, event, { finish: 'cut' }),
    calls: calls.map((call, at) => callRead(call, `${step.number}.${at + 1}`)),
    savedTokens,
  }));
  return charge(left, { tokens });
}

export function replyEnded(before: RunView, event: Placed<ReplyEnded>): RunView {
  const {
    thought,
    text,
    tokens,
    calls,
    answer,
    violation,
    hint,
    dropped,
    dialect = null,
    reasoning = null,
    state,
  } = stated(before, event);
  const isGated = typeof state !== 'string' && state.ACTION === 'gating';
  const view = noted(before, (step) => ({
    ...withTryEnded(step, event, { finish: 'stop' }),
    thought: thought ?? step.thought,
    ...{ text, tokens, reasoning, dropped, dialect },
    calls: isGated ? calls.map((call, at) => callRead(call, `${step.number}.${at + 1}`)) : [],
  }));
  const charged = withNotes(charge(view, { tokens }), { hint });
  if (state === 'FINAL') return { ...charged, answer };
  if (typeof state !== 'string' && state.ACTION !== undefined)
    return withNotes(charged, { isProposed: state.ACTION === 'checkingAnswer' });
  return violated(charged, violation ?? 'no_step');
}

function stated(view: RunView, event: Placed<ReplyEnded>) {
  return { ...event, state: view.state };
}

export function replyTruncated(before: RunView, event: Placed<ReplyTruncated>): RunView {
  const { thought, text, tokens, partial, violation, hint, reasoning = null } = event;
  const ended = (step: StepView) => withTryEnded(step, event, { finish: 'length' });
  const view = changeOpen(before, (step) => ({ ...ended(step), thought, reasoning, text, tokens }));
  const charged = withNotes(charge(view, { tokens }), { hint, cutShort: partial });
  return violated(withPartial(charged), violation);
}

/** What is read of a reply. The beginning of an answer that an earlier one was cut in is not the last any more. */
function noted(view: RunView, change: (step: StepView) => StepView): RunView {
  return withPartial(withNotes(changeOpen(view, change), { cutShort: null }));
}

export function violated(view: RunView, code: NonNullable<StepView['violation']>['code']): RunView {
  const violation = { code, hint: view.fold.hint ?? '' };
  return {
    ...changeOpen(view, (step) => ({ ...step, violation })),
    violations: view.violations + 1,
    violationsInRow: view.violationsInRow + 1,
  };
}

export function replyFiltered(before: RunView, event: Placed<ReplyFiltered>): RunView {
  const view = changeOpen(before, (step) => withTryEnded(step, event, { finish: 'content_filter' }));
  return { ...charge(view, event), stopReason: 'content_filter' };
}

export function replyFailed(before: RunView, event: Placed<ReplyFailed>): RunView {
  const { failure, message, hint, tokens } = event;
  const failed = (step: StepView) =>
    withTryEnded(step, event, { finish: 'failed', failure: { failure, message, hint } });
  const view = charge(changeOpen(before, failed), { tokens });
  if (isInThought(view.state)) return askedAnew(view, view.fold.attempt + 1);
  return { ...view, stopReason: 'model_error', failure: { message, hint } };
}

/** Nothing of the reply so far remains; the first try begins the step anew. */
export function askedAnew(view: RunView, attempt: number): RunView {
  const startedAtMs = attempt > 1 ? (openStep(view)?.startedAtMs ?? view.atMs) : view.atMs;
  const again = changeOpen(view, (step) => ({ ...step, ...unread, startedAtMs }));
  return withPartial(withNotes(again, { attempt, hint: null, isProposed: false }));
}

function callRead({ tool, input, repaired }: ReadCall, callId: string): CallView {
  return {
    ...{ callId, tool, input, written: input },
    repaired: repaired === true,
    coerced: [],
    effect: null,
    gate: null,
    rule: null,
    key: '',
    endsRun: false,
    status: 'read',
    observation: null,
    output: null,
    cutFrom: null,
    empty: false,
    timedOut: false,
    error: null,
    startedAtMs: null,
    endedAtMs: null,
    endedWallMs: null,
    retries: [],
    approval: null,
    nested: null,
    spent: null,
  };
}

/** Of a run that goes on in a trace of its own, what is known of a call is what `run.resumed` says. */
export function callKnown(call: Pick<CallView, 'callId' | 'tool' | 'input' | 'repaired'>): CallView {
  return { ...callRead(call, call.callId), repaired: call.repaired };
}
