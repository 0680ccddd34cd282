/** The person of a simulation: decides a moment after being asked, in any way that a person might. */
import { nameOf } from '../../machines/edge.ts';
import { AgentError } from '../core/errors.ts';
import type { Run } from '../run.ts';
import type { Life } from './simulation-life.ts';
import type { Decision } from './simulation-script.ts';
import { isTooLate } from './too-late.ts';

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
  /** A word that comes when the time is over, because the clock was put on, lets nothing run. */
  const say = (word: () => void, allowed: boolean, edited: string | null = null) => {
    const place = decided.push({ callId, allowed, edited });
    if (isTooLate(word)) decided[place - 1] = { callId, allowed: false, edited: null };
  };
  switch (decision) {
    case 'approve':
      return say(() => run.approve(callId), true);
    case 'deny':
      return say(() => run.deny(callId, 'Not today.'), false);
    case 'edit':
      return say(() => run.approve(callId, { input: { n: 9 } }), true, '{"n":9}');
    case 'edit_badly':
      return say(() => run.approve(callId, { input: 'no object' }), false);
    case 'twice':
      say(() => run.approve(callId), true);
      if (!isTooLate(() => run.approve(callId))) throw new Error('A call was decided twice.');
      return;
    case 'never':
      return;
  }
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
