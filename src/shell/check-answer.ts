/** Has a proposed answer judged by the gate of answers. */
import type { Command } from '../../machines/commands.ts';
import { noted } from '../dispatch/result.ts';
import type { InFlight } from './in-flight.ts';
import type { RunScope } from './scope.ts';

export function checkAnswer(
  { answers, nowMs, send }: RunScope,
  inFlight: InFlight,
  { step, answer }: Extract<Command, { type: 'checkAnswer' }>,
): void {
  inFlight.track((done) =>
    answers.judge(answer, (refused, notes) => {
      done();
      if (refused === null) send({ type: 'answer.accepted', step, atMs: nowMs(), answer, ...noted(notes) });
      else send({ type: 'answer.rejected', step, atMs: nowMs(), hint: refused });
    }),
  );
}
