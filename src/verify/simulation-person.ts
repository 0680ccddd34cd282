/** The person of a simulation: decides a moment after being asked, in any way that a person might. */
import { nameOf } from '../../machines/edge.ts';
import { AgentError } from '../core/errors.ts';
import type { Run } from '../run.ts';
import type { Life } from './simulation-life.ts';
import type { Decision } from './simulation-script.ts';

export interface Person {
  /** Looks at what waits, soon; what is not decided now waits for its deadline. */
  look(life: Life, run: () => Run | null): void;
}

/** Approves once the decisions are used up. */
export function createPerson(decisions: readonly Decision[]): Person {
  const left = [...decisions];
  return {
    look: (life, run) => {
      life.world.setTimer(5, () => {
        for (const callId of waitingIn(run())) decide(run(), callId, left.shift() ?? 'approve');
      });
    },
  };
}

function decide(run: Run | null, callId: string, decision: Decision): void {
  if (run === null) return;
  switch (decision) {
    case 'approve':
      return run.approve(callId);
    case 'deny':
      return run.deny(callId, 'Not today.');
    case 'edit':
      return run.approve(callId, { input: { n: 9 } });
    case 'edit_badly':
      return run.approve(callId, { input: 'no object' });
    case 'twice':
      run.approve(callId);
      return refusedTwice(() => run.approve(callId));
    case 'never':
      return;
  }
}

/** The second decision must be refused, whatever came of the first. */
function refusedTwice(again: () => void): void {
  try {
    again();
  } catch (thrown) {
    if (thrown instanceof AgentError && thrown.code === 'not_awaiting') return;
    throw thrown;
  }
  throw new Error('A call was decided twice.');
}

function waitingIn(run: Run | null): readonly string[] {
  try {
    const snapshot = run?.snapshot();
    if (snapshot === undefined || nameOf(snapshot.state) !== 'ACTION.awaitingApproval') return [];
    return snapshot.context.calls.filter(({ status }) => status === 'asking').map(({ callId }) => callId);
  } catch (thrown) {
    if (thrown instanceof AgentError) return []; // it has ended
    throw thrown;
  }
}
