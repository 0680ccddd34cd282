/** What happens in a run at one moment, as events of its span. Pure. */
import type { TraceEvent } from '../../core/trace.ts';
import type { RunView } from '../run-view.ts';
import type { Facts } from './facts.ts';
import { marks, names, own } from './names.ts';

export interface Mark {
  readonly name: string;
  readonly facts: Facts;
}

/** `before` and `after`: the run around the event. `withNames`: whether it may be told who decided. */
export function marksOf(event: TraceEvent, before: RunView, after: RunView, withNames: boolean): readonly Mark[] {
  const violation = after.violations > before.violations ? [violationMark(after)] : [];
  return [...violation, ...ownMarks(event, after, withNames)];
}

/** The step that has it is the last, or the one before a step that has just begun. */
function violationMark({ steps }: RunView): Mark {
  const step = steps.findLast(({ violation }) => violation !== null);
  return { name: marks.violation, facts: { [own.violation]: step?.violation?.code, [own.step]: step?.number } };
}

function ownMarks(event: TraceEvent, after: RunView, withNames: boolean): readonly Mark[] {
  switch (event.type) {
    case 'reply.failed':
      return after.phase === 'ended' ? [] : [retryMark(event)];
    case 'calls.checked':
      return refusedMarks(event, after);
    case 'approval.asked':
      return waitingCalls(after).map((callId) => ({ name: marks.approvalAsked, facts: at(event.step, callId) }));
    case 'approval.granted':
      return [decidedMark(event, { [own.decision]: 'granted', [own.edited]: event.edited }, withNames)];
    case 'approval.denied':
      return [decidedMark(event, { [own.decision]: 'denied', [own.cause]: event.cause }, withNames)];
    case 'loop.warned':
      return [{ name: marks.loopWarned, facts: { [own.step]: event.step } }];
    default:
      return [];
  }
}

function at(step: number, callId: string): Facts {
  return { [own.step]: step, [names.callId]: callId };
}

function retryMark({ step, attempt = 1, failure, retryAtMs, atMs }: Of<'reply.failed'>): Mark {
  const waitMs = retryAtMs === undefined ? undefined : Math.max(0, retryAtMs - atMs);
  const facts = { [own.step]: step, [own.attempt]: attempt, [names.errorType]: failure, [own.waitMs]: waitMs };
  return { name: marks.modelRetry, facts };
}

type Of<Type extends TraceEvent['type']> = Extract<TraceEvent, { type: Type }>;

/** The name of a tool that there is none of, the model made up. */
function refusedMarks({ step, verdicts }: Of<'calls.checked'>, { tools, steps }: RunView): readonly Mark[] {
  const calls = steps.findLast(({ number }) => number === step)?.calls ?? [];
  return verdicts
    .filter(({ pass }) => pass === 'refuse')
    .map(({ callId, gate }) => {
      const tool = calls.find((call) => call.callId === callId)?.tool;
      const name = tool !== undefined && tools.includes(tool) ? tool : undefined;
      return { name: marks.callRefused, facts: { ...at(step, callId), [own.gate]: gate, [names.tool]: name } };
    });
}

function waitingCalls({ steps }: RunView): readonly string[] {
  const calls = steps.at(-1)?.calls ?? [];
  return calls.filter(({ status }) => status === 'waiting').map(({ callId }) => callId);
}

type Decided = Of<'approval.granted' | 'approval.denied'>;

function decidedMark({ step, callId, by }: Decided, facts: Facts, withNames: boolean): Mark {
  const who = withNames && by !== null ? { [own.by]: by } : {};
  return { name: marks.approvalDecided, facts: { ...at(step, callId), ...facts, ...who } };
}
