/** The machine's first context. Pure. */
import type { ReactContext, RunLimits } from '../src/core/snapshot.ts';
import { noTokens } from '../src/core/usage.ts';

export interface ReactInput {
  readonly limits: RunLimits;
  /** Of a run that ended and goes on at the door, with what it is to go on with. */
  readonly from?: ReactContext;
}

export function initialContext({ limits, from }: ReactInput): ReactContext {
  return (
    from ?? {
      limits,
      atMs: 0,
      step: 0,
      attempt: 1,
      askAtMs: 0,
      nestedSteps: 0,
      toolCalls: 0,
      tokens: noTokens,
      violations: 0,
      violationsInRow: 0,
      toolErrorsInRow: 0,
      emptyInRow: 0,
      violation: null,
      calls: [],
      answer: null,
      proposed: null,
      approvalUntilMs: null,
      effects: [],
      window: [],
      loop: 'none',
      stopReason: null,
      failure: null,
    }
  );
}
