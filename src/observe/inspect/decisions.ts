/** What a person decides in the page, carried out. What cannot be is told, and changes nothing. */
import { AgentError } from '../../core/errors.ts';
import type { JsonValue } from '../../core/json.ts';
import type { Hold } from './hold.ts';
import type { WatchedRun } from './watched-run.ts';
import type { Decision, Refusal } from './wire.ts';

/** With the status of HTTP. */
export interface Decided {
  readonly status: number;
  /** Null where it is done. */
  readonly refusal: Refusal | null;
}

/** `body` is the JSON of a `Decision`; `by` the name of who decides, for the trace. */
export function decide(hold: Hold, body: string, by: string): Decided {
  const decision = readDecision(body);
  if ('message' in decision) return { status: 400, refusal: decision };
  const run = hold.decider();
  if (run === null) return { status: 409, refusal: whyNot(hold) };
  if (decision.kind === 'approve' && !hold.isSeenWhole(decision.callId))
    return { status: 409, refusal: notSeen(decision.callId) };
  try {
    carryOut(run, decision, by);
    return { status: 204, refusal: null };
  } catch (thrown) {
    if (!(thrown instanceof AgentError)) throw thrown;
    const { message, hint } = thrown;
    if (thrown.code === 'not_awaiting') return { status: 409, refusal: { code: 'not_awaiting', message, hint } };
    return { status: 400, refusal: { code: 'unusable', message, hint } };
  }
}

function carryOut(run: WatchedRun, decision: Decision, by: string): void {
  switch (decision.kind) {
    case 'approve': {
      const { callId, input } = decision;
      return run.approve(callId, input === undefined ? { by } : { input, by });
    }
    case 'deny':
      return run.deny(decision.callId, decision.why, { by });
    case 'abort':
      return run.abort(`aborted by ${by} in the inspector`);
    default:
      return decision satisfies never;
  }
}

function whyNot(hold: Hold): Refusal {
  if (hold.isOver())
    return {
      code: 'run_over',
      message: 'The run is over: nothing can be decided any more.',
      hint: 'See how it ended.',
    };
  return {
    code: 'looking_only',
    message: 'This run is shown for looking only.',
    hint: 'A program lets the page decide with inspector.watch(run, { decidable: true }).',
  };
}

function notSeen(callId: string): Refusal {
  return {
    code: 'not_seen',
    message: `The run is so large that the page does not have all of call ${callId}: nobody may approve what they cannot see.`,
    hint: 'Deny it or abort the run here, decide in the program with run.approve, or give the inspector a larger mostBytesPerRun.',
  };
}

function readDecision(body: string): Decision | Refusal {
  const given = parsed(body);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return wrong('It is no JSON object.');
  const fields: ReadonlyMap<string, JsonValue> = new Map(Object.entries(given));
  const [kind, callId, why] = ['kind', 'callId', 'why'].map((name) => fields.get(name));
  if (kind === 'abort') return { kind };
  if (kind !== 'approve' && kind !== 'deny') return wrong('Its kind is none of approve, deny and abort.');
  if (typeof callId !== 'string') return wrong('Its callId is no text.');
  if (kind === 'deny') return typeof why === 'string' ? { kind, callId, why } : wrong('Its why is no text.');
  const input = fields.get('input');
  if (input === undefined) return { kind, callId };
  // The page shows the input without its secrets: sent back, the mark would run in their place.
  if (JSON.stringify(input).includes('[redacted]'))
    return {
      code: 'redacted',
      message: 'The edited input still holds [redacted], which stands for a secret.',
      hint: 'Write what is to run in its place, or approve the call as it is: then the secret itself is used.',
    };
  return { kind, callId, input };
}

function wrong(what: string): Refusal {
  const hint = 'Such as {"kind":"approve","callId":"2.1"}.';
  return { code: 'no_decision', message: `This is no decision. ${what}`, hint };
}

function parsed(body: string): JsonValue | undefined {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
