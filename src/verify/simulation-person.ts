/** The person of a simulation: decides a moment after being asked, in any way that a person might. */
import { nameOf } from '../../machines/edge.ts';
import { AgentError } from '../core/errors.ts';
import type { Run } from '../run.ts';
import type { Life } from './simulation-life.ts';
import type { Decision } from './simulation-script.ts';

/** What a person said of a call. The last word counts: what a dying process did not record is asked again. */
export interface Decided {
  readonly callId: string;
  readonly allowed: boolean;
  /** As it was edited; null where it was not. */
  readonly edited: string | null;
}

export interface Person {
  readonly decided: readonly Decided[];
  /** Looks at what waits, soon; what is not decided now waits for its deadline. */
  look(life: Life, run: () => Run<unknown> | null): void;
}

/** Approves once the decisions are used up. */
export function createPerson(decisions: readonly Decision[]): Person {
  const left = [...decisions];
  const decided: Decided[] = [];
  return {
    decided,
    look: (life, run) => {
      life.world.setTimer(5, () => {
        for (const callId of waitingIn(run())) decide(run(), callId, left.shift() ?? 'approve', decided);
      });
    },
  };
}

function decide(run: Run<unknown> | null, callId: string, decision: Decision, decided: Decided[]): void {
  if (run === null) return;
  const note = (allowed: boolean, edited: string | null = null) => decided.push({ callId, allowed, edited });
  switch (decision) {
    case 'approve':
      note(true);
      return run.approve(callId);
    case 'deny':
      note(false);
      return run.deny(callId, 'Not today.');
    case 'edit':
      note(true, '{"n":9}');
      return run.approve(callId, { input: { n: 9 } });
    case 'edit_badly':
      note(false);
      return run.approve(callId, { input: 'no object' });
    case 'twice':
      note(true);
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

function waitingIn(run: Run<unknown> | null): readonly string[] {
  try {
    const snapshot = run?.snapshot();
    if (snapshot === undefined || nameOf(snapshot.state) !== 'ACTION.awaitingApproval') return [];
    return snapshot.context.calls.filter(({ status }) => status === 'asking').map(({ callId }) => callId);
  } catch (thrown) {
    if (thrown instanceof AgentError) return []; // it has ended
    throw thrown;
  }
}
