/** How a step that is done goes into the next prompt. Pure. */
import type { Message } from '../core/model.ts';
import type { Dialect, Observed, StepWithCalls } from './dialect.ts';
import { faultMarks, neutralise, neutraliseMarks } from './neutralise.ts';

/** `byLoop`: the text begins with a mark of the loop's own, because the call did not succeed. */
export interface CallResultText extends Observed {
  readonly byLoop: boolean;
}

export interface StepDone extends StepWithCalls {
  readonly results: readonly CallResultText[];
  /** The reply up to the end of the step; null where it was not read. */
  readonly reply: string | null;
  /** What the model is told of a violation; null where there was none. */
  readonly fault: string | null;
  /** What the loop warns of: a repetition, results that hold nothing. */
  readonly warnings: readonly string[];
}

/**
 * The assistant's message and what answers it: one message of the user, or the result of each call where the provider has
 * a form for them. What tools returned is data in it; only what the loop itself says may look like the form.
 */
export function stepMessages(dialect: Dialect, tools: readonly string[], step: StepDone): readonly Message[] {
  const { wire } = dialect;
  const { reply, calls, fault, warnings } = step;
  const told: Observed[] = step.results.map((result) => asData(dialect, result));
  if (fault !== null) told.push({ tool: '', text: fault });
  const last = told.pop() ?? { tool: '', text: '' };
  const results = [...told, { ...last, text: [last.text, ...warnings].join('\n') }];
  if (wire !== undefined && calls.length > 0) return wire.step({ ...step, results }, tools);
  return [
    { role: 'assistant', content: written(reply) },
    { role: 'user', content: dialect.writeObservation(results) },
  ];
}

function asData(dialect: Dialect, { tool, text, byLoop }: CallResultText): Observed {
  const neutral = dialect.wire === undefined ? neutralise(text) : neutraliseMarks(text);
  const data = dialect.asData?.(neutral) ?? neutral;
  const isMarked = byLoop && faultMarks.some((sign) => text.startsWith(sign));
  return { tool, text: isMarked ? data.slice(1) : data, ...(byLoop ? { isError: true } : {}) };
}

/** Servers refuse a message without text. */
function written(reply: string | null): string {
  return reply === null || reply.trim() === '' ? '(empty reply)' : reply;
}
