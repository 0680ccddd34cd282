/**
 * Where a run that ended goes on, with other limits: where the end found it, with what the end left undone. Nothing that
 * was given to a tool is given again but reads, and no step is judged twice. Pure.
 */
import type { ReactContext, RunLimits, StatePath } from '../src/core/snapshot.ts';
import type { StopReason } from '../src/core/stop-reasons.ts';
import { stepsLeft } from './budget.ts';
import { isHeldBack } from './call-facts.ts';
import { type Command, commandDue, commandOf } from './commands.ts';
import { nothingMayStart, tokensSpent } from './guards.ts';
import { endWith, startCalls } from './reducers.ts';

/** Whether a run that ended so can go on. No budget makes these. */
export function mayGoOn(stopReason: StopReason | null): boolean {
  return stopReason !== null && !endsForGood.has(stopReason);
}

const endsForGood: ReadonlySet<StopReason> = new Set<StopReason>([
  'final',
  'loop_detected',
  'no_progress',
  'content_filter',
  'internal_error',
  'suspended', // not an end
]);

/** These come at any moment, and leave a step that the door has not judged. */
const endsFromOutside: ReadonlySet<StopReason | null> = new Set<StopReason>(['aborted', 'timeout', 'store_error']);

export interface Reopened {
  /** `OBSERVATION`: the door decides, and nothing is to be performed before. */
  readonly state: StatePath;
  readonly context: ReactContext;
  readonly commands: readonly Command[];
}

/** `ended`: the context of an end that may go on. */
export function reopened(ended: ReactContext, limits: RunLimits): Reopened {
  const context: ReactContext = {
    ...ended,
    limits,
    attempt: 1,
    askAtMs: 0,
    approvalUntilMs: null,
    loop: 'none',
    stopReason: null,
    failure: null,
  };
  const asked = { context, event: { type: 'run.restored' } as const };
  switch (leftIn(ended)) {
    case 'reading': // in its step, which has been charged
      if (stepsLeft(context) < 0) return over(context, 'max_steps');
      return tokensSpent(asked) ? over(context, 'token_budget') : taken({ THOUGHT: 'reasoning' }, context);
    case 'gating':
      return taken({ ACTION: 'gating' }, context);
    case 'checkingAnswer':
      return taken({ ACTION: 'checkingAnswer' }, context);
    case 'running':
      return taken({ ACTION: 'running' }, context);
    case 'heldBack':
      return nothingMayStart(asked) ? atTheDoor(context) : letGo(context);
    case 'judged':
      return atTheDoor({ ...context, calls: [], violation: null, proposed: null });
    case 'settled':
      return atTheDoor(context);
  }
}

/** How far the step was that the end found. `settled`: it is over, and not judged yet. */
type Left = 'reading' | 'gating' | 'checkingAnswer' | 'running' | 'heldBack' | 'judged' | 'settled';

function leftIn(ended: ReactContext): Left {
  const { calls, step, violation, proposed, stopReason } = ended;
  if (step === 0 || violation !== null || (stopReason === 'max_steps' && calls.length === 0)) return 'judged';
  if (calls.length === 0) return proposed === null ? 'reading' : 'checkingAnswer';
  if (calls.some(({ status }) => status === 'read')) return 'gating';
  if (calls.some(({ status }) => status === 'started')) return 'running';
  if (isHeldBack(ended)) return 'heldBack';
  return endsFromOutside.has(stopReason) ? 'settled' : 'judged';
}

function over(context: ReactContext, reason: 'max_steps' | 'token_budget'): Reopened {
  return { state: 'ERROR', context: endWith(context, reason), commands: [] };
}

function atTheDoor(context: ReactContext): Reopened {
  return { state: 'OBSERVATION', context, commands: [] };
}

function taken(state: StatePath, context: ReactContext): Reopened {
  const due = commandDue(state, context);
  return { state, context, commands: due === null ? [] : [due] };
}

/** Calls that had passed the gates start, or are asked about, as if the limit had not held them back. */
function letGo(before: ReactContext): Reopened {
  if (!before.calls.some(({ status }) => status === 'ready')) return taken({ ACTION: 'awaitingApproval' }, before);
  const context = startCalls(before);
  const run = commandOf('runCalls', context);
  return { state: { ACTION: 'running' }, context, commands: run === null ? [] : [run] };
}
