/** Carries out decisions about the calls of a run, and leaves the run where a call waits that none of them is about. */
import { AgentError } from '../core/errors.ts';
import type { LiveEvent } from '../core/trace.ts';
import type { Run } from '../run.ts';
import type { Decision } from './decisions.ts';
import { waitingIn } from './going-on.ts';

export interface DecidingRun {
  /** To be called after each event. */
  look(event: LiveEvent): void;
}

/** `by`: who decides. A call is decided when it waits: those that were decided before may run first. */
export function decidingRun(run: Run, decisions: readonly Decision[], by: string): DecidingRun {
  const open = new Map(decisions.map((decision) => [decision.callId, decision]));
  const given = new Set<string>();
  let isLeft = false;

  /** False where the call does not wait at this moment. */
  const decide = (decision: Decision): boolean => {
    try {
      if (decision.kind === 'deny') run.deny(decision.callId, decision.why, { by });
      else run.approve(decision.callId, decision.kind === 'edit' ? { input: decision.input, by } : { by });
      return true;
    } catch (thrown) {
      if (thrown instanceof AgentError && thrown.code === 'not_awaiting') return false;
      throw thrown;
    }
  };
  return {
    look({ type }) {
      if (isLeft || type === 'run.ended') return;
      for (const { callId } of waitingNow(run)) {
        const decision = open.get(callId);
        if (decision === undefined || given.has(callId) || !decide(decision)) continue;
        given.add(callId);
      }
      const waiting = waitingNow(run);
      if (waiting.length === 0 || waiting.some(({ callId }) => given.has(callId))) return;
      isLeft = true;
      run.suspend();
    },
  };
}

function waitingNow(run: Run) {
  try {
    return waitingIn(run.snapshot());
  } catch {
    return []; // it has ended
  }
}
