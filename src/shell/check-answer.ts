/** Has a proposed answer judged by the user's own check, within its time. */
import type { Command } from '../../machines/commands.ts';
import { messageOf } from '../core/message-of.ts';
import type { Settled } from '../core/within.ts';
import type { InFlight } from './in-flight.ts';
import type { RunScope } from './scope.ts';

export function checkAnswer(
  { plan, history, nowMs, send }: RunScope,
  inFlight: InFlight,
  { step, answer }: Extract<Command, { type: 'checkAnswer' }>,
): void {
  const check = plan.checkAnswer;
  const judge = (verdict: true | string) => {
    if (verdict === true) send({ type: 'answer.accepted', step, atMs: nowMs(), answer });
    else send({ type: 'answer.rejected', step, atMs: nowMs(), hint: verdict });
  };
  if (check === null) return judge(true);
  inFlight.track((done) =>
    plan.within(
      plan.timeouts.hookMs,
      () => check(answer, history.steps),
      (settled) => {
        done();
        judge(verdictOf(settled));
      },
    ),
  );
}

/** A check that fails has not accepted the answer. */
function verdictOf(settled: Settled<unknown>): true | string {
  if (settled.kind === 'value') return settled.value === true ? true : String(settled.value);
  return `The answer could not be checked: ${settled.kind === 'late' ? 'no result in time' : messageOf(settled.thrown)}.`;
}
