/** Scripts for `scriptedModel`, and the budgets in which they are played. */
import type { Budget } from '../core/limits.ts';
import type { ScriptedReply } from '../models/scripted.ts';
import { wellFormed } from './arbitrary-reply.ts';
import { malformed } from './arbitrary-reply-faults.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import { cutInto } from './pieces.ts';

/** Mostly plain replies, in pieces; one in three has something wrong with its stream. */
export function scriptedReplies(
  fc: FastCheck,
  chunking: Arbitrary<readonly number[]>,
  dialect: string,
): Arbitrary<ScriptedReply> {
  const text = fc.oneof(
    { weight: 3, arbitrary: wellFormed(fc, dialect).map((reply) => reply.text) },
    { weight: 1, arbitrary: malformed(fc, dialect) },
  );
  const chunks = fc.tuple(text, chunking).map(([whole, lengths]) => cutInto(whole, lengths));
  const count = fc.constantFrom(0, 10, 1_000_000);
  return fc.oneof(
    { weight: 2, arbitrary: fc.record({ chunks }) },
    {
      weight: 1,
      arbitrary: fc.record<ScriptedReply, 'chunks'>(
        {
          chunks,
          reasoning: fc.string({ maxLength: 20 }),
          delayMs: fc.constantFrom(0, 10, 70_000),
          betweenMs: fc.constantFrom(0, 5, 40_000),
          finish: fc.constantFrom('stop', 'stop', 'length', 'content_filter'),
          usage: fc.option(fc.record({ inputTokens: count, outputTokens: count })),
          failure: fc.constant({ failure: 'connection', message: 'no route to the model' }),
          hang: fc.constant(true),
        },
        { requiredKeys: ['chunks'] },
      ),
    },
  );
}

export function budgets(fc: FastCheck): Arbitrary<Budget> {
  // Seldom so small that a run ends at once.
  const small = (most: number) =>
    fc.oneof({ weight: 1, arbitrary: fc.nat(most) }, { weight: 2, arbitrary: fc.constant(most) });
  return fc.record({
    maxSteps: small(6),
    maxTokens: fc.constantFrom(0, 50, 400, 100_000, 100_000),
    wallClockMs: fc.constantFrom(0, 5, 20_000, 1_000_000, 1_000_000),
    maxToolCalls: small(6),
    maxViolations: small(3),
    maxToolErrors: small(3),
  });
}
