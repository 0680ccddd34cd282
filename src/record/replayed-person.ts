/** The people of a replay decide as they did, and as long after they were asked. */
import { AgentError } from '../core/errors.ts';
import type { TraceEvent } from '../core/trace.ts';
import type { Run } from '../run.ts';
import type { ReplayTime } from './replay-time.ts';
import type { RecordedPart } from './trace-runs.ts';

type Asked = Extract<TraceEvent, { type: 'approval.asked' }>;
type Decision = Extract<TraceEvent, { type: 'approval.granted' | 'approval.denied' }>;
type Decides = Pick<Run<unknown>, 'approve' | 'deny'>;

/** To be told of each time that a person is asked, with the run once it is there. */
export function replayedPerson(
  { events }: RecordedPart,
  time: ReplayTime,
): (step: number, run: () => Decides | null) => void {
  const asked: { readonly asked: Asked; readonly decisions: Decision[]; isOver: boolean }[] = [];
  for (const event of events) {
    if (event.type === 'approval.asked') asked.push({ asked: event, decisions: [], isOver: false });
    if (event.type === 'approval.granted' || event.type === 'approval.denied') asked.at(-1)?.decisions.push(event);
  }
  return (step, run) => {
    const now = asked.find((one) => !one.isOver && one.asked.step === step);
    if (now === undefined) return;
    now.isOver = true;
    for (const [index, decision] of now.decisions.entries())
      time.later(decision.wallMs - now.asked.wallMs + index / 1_000, () => decide(run(), decision));
  };
}

/** A call that does not wait today is a difference, which the comparison finds. */
function decide(run: Decides | null, decision: Decision): void {
  const { callId, by } = decision;
  const named = by === null ? {} : { by };
  try {
    if (decision.type === 'approval.granted')
      run?.approve(callId, decision.edited ? { ...named, input: decision.input } : named);
    else if (decision.cause === 'person') run?.deny(callId, decision.why, named);
    else if (decision.cause !== 'timeout')
      run?.approve(callId, decision.input === undefined ? named : { ...named, input: decision.input });
  } catch (thrown) {
    if (!(thrown instanceof AgentError)) throw thrown;
  }
}
