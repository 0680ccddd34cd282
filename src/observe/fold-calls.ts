/** What becomes of the calls of a step: checked, asked about, begun, settled. Pure. */
import type {
  AnswerAccepted,
  AnswerRejected,
  ApprovalAsked,
  ApprovalDenied,
  ApprovalGranted,
  CallSettled,
  CallsChecked,
} from '../core/events.ts';
import type { CallNested, CallRetried } from '../core/journal.ts';
import type { TraceEvent } from '../core/trace.ts';
import type { Gate, Verdict } from '../core/verdict.ts';
import { violated } from './fold-reply.ts';
import { started, startedNext } from './fold-start.ts';
import { changeCall, changeOpen, changeStep, charge, isRunning, openStep, withNotes } from './fold-view.ts';
import type { ApprovalView, CallView, RunView } from './run-view.ts';

type Placed<Event> = Event & { readonly wallMs: number };

export function callsChecked(view: RunView, { verdicts }: CallsChecked): RunView {
  const checked = changeOpen(view, (step) => ({
    ...step,
    calls: step.calls.map((call, at) => {
      const verdict = verdicts[at];
      return verdict === undefined ? call : callChecked(call, verdict);
    }),
  }));
  return isRunning(view.state) ? started(checked) : checked;
}

const statusOfPass = { run: 'ready', ask: 'waiting', refuse: 'refused' } as const satisfies Record<
  Verdict['pass'],
  CallView['status']
>;

function callChecked(call: CallView, verdict: Verdict): CallView {
  const { pass, input, observation, effect, endsRun, key, gate = null, rule = null, coerced = [] } = verdict;
  const told = pass === 'refuse' ? observation : null;
  return { ...call, input, effect, endsRun, key, gate, rule, coerced, status: statusOfPass[pass], observation: told };
}

export function approvalAsked(view: RunView, { untilMs, wallMs }: Placed<ApprovalAsked>): RunView {
  return changeOpen(view, (step) => ({
    ...step,
    calls: step.calls.map((call) =>
      call.status === 'waiting' ? { ...call, approval: { ...(call.approval ?? asked(wallMs)), untilMs } } : call,
    ),
  }));
}

function asked(wallMs: number): ApprovalView {
  const decided = { decidedWallMs: null, decision: null, by: null, why: '', cause: null, edited: false };
  return { askedWallMs: wallMs, untilMs: wallMs, ...decided };
}

export function approvalGranted(view: RunView, event: Placed<ApprovalGranted>): RunView {
  const { callId, input, key, by, edited, wallMs, observation = null } = event;
  const granted = changeOpen(view, (step) =>
    changeCall(step, callId, (call) => ({
      ...call,
      ...{ status: 'ready' as const, input, key },
      observation: edited ? observation : call.observation,
      approval: { ...(call.approval ?? asked(wallMs)), decidedWallMs: wallMs, decision: 'granted', by, edited },
    })),
  );
  return isRunning(view.state) ? started(granted) : granted;
}

export function approvalDenied(view: RunView, event: Placed<ApprovalDenied>): RunView {
  const { callId, observation, cause, by, why, input, wallMs } = event;
  const decided = { decidedWallMs: wallMs, decision: 'denied', by, why, cause } as const;
  const denied = changeOpen(view, (step) =>
    changeCall(step, callId, (call) => ({
      ...call,
      status: 'refused',
      observation,
      gate: isGate(cause) ? cause : call.gate,
      approval: { ...(call.approval ?? asked(wallMs)), ...decided, edited: input !== undefined },
    })),
  );
  return isRunning(view.state) ? started(denied) : denied;
}

function isGate(cause: ApprovalDenied['cause']): cause is Gate {
  return cause !== 'person' && cause !== 'timeout';
}

export function callSettled(before: RunView, event: Placed<CallSettled>): RunView {
  const { callId, result, spent, notes = [] } = event;
  const call = openStep(before)?.calls.find((one) => one.callId === callId);
  if (call === undefined) return before;
  const settled = changeOpen(before, (step) => changeCall(step, callId, () => callWithResult(call, event)));
  const view = charged(settled, spent);
  const isLost = result === 'unknown' && call.effect !== 'readOnly';
  const unknown = isLost ? [...view.unknown, { toolCallId: callId, tool: call.tool, input: call.input }] : view.unknown;
  const answers = call.endsRun && result === 'succeeded' ? { answer: answerText(call.tool, event), notes } : {};
  const next = { ...view, unknown, ...answers };
  return isRunning(next.state) ? startedNext(next) : next;
}

function callWithResult(call: CallView, event: Placed<CallSettled>): CallView {
  const { result, observation, output, cutFrom = null, startedAtMs, atMs, wallMs, error = null, spent = null } = event;
  return {
    ...call,
    status: result,
    // A person changed the input, and the model is told so behind the result.
    observation: call.observation === null ? observation : `${observation}\n${call.observation}`,
    ...{ output, cutFrom, startedAtMs, error, spent },
    empty: result === 'succeeded' && event.empty === true,
    timedOut: event.timedOut === true,
    endedAtMs: atMs,
    endedWallMs: wallMs,
  };
}

/** What an agent that ran as a tool spent, or several of them. */
export function charged(view: RunView, spent: CallSettled['spent']): RunView {
  if (spent === undefined) return view;
  return withNotes(charge(view, spent), { nestedSteps: view.fold.nestedSteps + spent.steps });
}

/** An output that holds nothing is no answer: what the model would be told says so in words. */
function answerText(tool: string, { output, observation }: CallSettled): string {
  const text = typeof output === 'string' || output === null ? output : JSON.stringify(output);
  return [text, observation].find((candidate) => candidate !== null && candidate.trim() !== '') ?? `${tool} succeeded.`;
}

export function callRetried(view: RunView, event: CallRetried): RunView {
  const { step, callId, attempt, atMs, waitMs, observation, error } = event;
  const tried = { attempt, atMs, waitMs, observation, error };
  return changeStep(view, step, (it) =>
    changeCall(it, callId, (call) => ({ ...call, retries: [...call.retries, tried] })),
  );
}

/** `follow`: the fold itself, for the run inside. That one is never taken up, so that nothing is kept for it. */
export function callNested(
  view: RunView,
  { step, callId, event }: CallNested,
  follow: (view: RunView | null, event: TraceEvent) => RunView,
): RunView {
  return changeStep(view, step, (it) =>
    changeCall(it, callId, (call) => ({ ...call, nested: withNotes(follow(call.nested, event), { marks: [] }) })),
  );
}

export function answerAccepted(view: RunView, { answer, notes = [] }: AnswerAccepted): RunView {
  return { ...view, answer, notes };
}

export function answerRejected(view: RunView, { hint }: AnswerRejected): RunView {
  return violated(withNotes(view, { hint }), 'answer_rejected');
}
