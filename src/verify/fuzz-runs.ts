/** Real runs on a virtual clock, with scripted replies and tools that misbehave: where snapshots and traces come from. */
import type { ReactMachine } from '../../machines/react.machine.ts';
import { type Agent, createAgent } from '../agent.ts';
import type { Clock } from '../core/clock.ts';
import { isJsonObject } from '../core/json.ts';
import { type Budget, defaults } from '../core/limits.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Snapshot } from '../core/snapshot.ts';
import type { ToolRecord } from '../core/tool.ts';
import type { TraceEvent } from '../core/trace.ts';
import { type ScriptedModel, type ScriptedReply, scriptedModel } from '../models/scripted.ts';
import type { Run } from '../run.ts';
import { arbitraries } from './arbitraries.ts';
import { type ReplyDialect, replyDialects, wellFormed } from './arbitrary-reply.ts';
import { type ToolBehaviour, toolOf } from './arbitrary-tool.ts';
import { countingClock } from './counting-clock.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import { isTooLate } from './too-late.ts';
import { virtualClock } from './virtual-clock.ts';

export interface RunScript {
  readonly dialect: ReplyDialect;
  readonly replies: readonly ScriptedReply[];
  readonly budget: Budget;
  /** What the tools `fetch_order` and `send` do; `look` always succeeds, and `constructor` ends the run. */
  readonly order: ToolBehaviour;
  readonly send: ToolBehaviour;
  /** The person who decides about `send`. */
  readonly person: 'approves' | 'denies' | 'is silent' | 'is away';
  readonly checksAnswer: boolean;
  /** Behind which event the snapshot is taken, counted from 0; behind the last one before the end at the latest. */
  readonly snapshotAt: number;
}

export function runScripts(fc: FastCheck): Arbitrary<RunScript> {
  const { scriptEntry, budget, toolBehaviour } = arbitraries(fc);
  const shared = {
    budget: fc.oneof({ weight: 3, arbitrary: fc.constant(ample) }, { weight: 1, arbitrary: budget }),
    order: toolBehaviour,
    send: toolBehaviour,
    person: fc.constantFrom<RunScript['person'][]>('approves', 'approves', 'denies', 'is silent', 'is away'),
    checksAnswer: fc.boolean(),
    snapshotAt: fc.nat(25),
  };
  const inDialect = (dialect: ReplyDialect) => {
    // Long enough that something has happened where the snapshot is taken.
    const plain = wellFormed(fc, dialect).map(({ text }): ScriptedReply => ({ text }));
    const reply = fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: scriptEntry(dialect) });
    return fc.record<RunScript>({
      dialect: fc.constant(dialect),
      replies: fc.array(reply, { minLength: 3, maxLength: 8 }),
      ...shared,
    });
  };
  return fc.oneof(...replyDialects.map(inDialect));
}

const ample: Budget = { ...defaults.budget, maxSteps: 9, maxTokens: 100_000 };

export interface Played {
  readonly outcome: Outcome;
  readonly events: readonly TraceEvent[];
  /** Null where the run ended at once. */
  readonly snapshot: Snapshot | null;
  readonly model: ScriptedModel;
  /** Timers that are still armed behind the end. */
  readonly armed: number;
}

export interface PlayOptions {
  readonly resume?: Resume;
  /** Null: the shipped one. */
  readonly machine?: ReactMachine | null;
}

/** A run from its beginning (null), or from what should be a snapshot. Throws what `agent.resume` throws. */
export async function playRun(
  script: RunScript,
  from: unknown,
  { resume = ownResume, machine = null }: PlayOptions = {},
): Promise<Played> {
  const clock = virtualClock();
  const model = scriptedModel(script.replies, { clock });
  const events: TraceEvent[] = [];
  let run: Run | null = null;
  let snapshot: Snapshot | null = null;
  // Those of the tools and of the person are not the loop's.
  const theirs = countingClock(clock);
  const onEvent = (event: TraceEvent) => {
    events.push(event);
    // In a turn of its own: within this one the run has not come to rest.
    if (events.length <= script.snapshotAt + 1)
      queueMicrotask(() => {
        snapshot = taken(run) ?? snapshot;
      });
    if (event.type === 'approval.asked' || event.type === 'run.resumed') {
      theirs.setTimer(5, () => decide(run, script.person));
    }
  };
  const agent = createAgent({
    model,
    tools: toolsOf(script, theirs),
    dialect: script.dialect,
    budget: script.budget,
    system: 'Be brief.',
    ...(machine === null ? {} : { machine }),
    clock,
    onEvent,
    ...(script.checksAnswer ? { checkAnswer: (answer: string) => answer.length % 2 === 0 || 'Once more.' } : {}),
  });
  const away = script.person === 'is away' && from === null;
  if (!away) run = from === null ? agent.start('the task') : resume(agent, from);
  const outcome = await clock.until(run?.outcome ?? agent.run('the task'));
  const isWanted = outcome.stopReason === 'suspended' || events.length <= script.snapshotAt;
  if (!outcome.ok && outcome.snapshot !== undefined && isWanted) snapshot = outcome.snapshot;
  return { outcome, events, snapshot, model, armed: clock.armed - theirs.armed() };
}

export type Resume = (agent: Agent, from: unknown) => Run;

/** Anything may be handed to `resume`; its own check is what is looked at. A run that ended goes on with more of all. */
export const ownResume: Resume = ({ resume }, from) => {
  const run: Run = Reflect.apply(resume, undefined, [from, hasEnded(from) ? { budget: plenty } : {}]);
  return run;
};

const plenty: Budget = Object.freeze({
  maxSteps: 100,
  maxTokens: 10_000_000,
  wallClockMs: 86_400_000,
  maxToolCalls: 1_000,
  maxViolations: 50,
  maxToolErrors: 50,
});

function hasEnded(from: unknown): boolean {
  return isJsonObject(from) && isJsonObject(from.context) && typeof from.context.stopReason === 'string';
}

function toolsOf({ order, send }: RunScript, clock: Pick<Clock, 'setTimer'>): ToolRecord {
  return {
    look: toolOf({ does: 'returns', afterMs: 1, value: { seen: 1 } }, clock, { readOnly: true }),
    fetch_order: toolOf(order, clock),
    send: toolOf(send, clock, { sideEffect: true }),
    constructor: toolOf({ does: 'returns', afterMs: 0, value: 'the end' }, clock, { endsRun: true, idempotent: true }),
  };
}

function decide(run: Run | null, person: RunScript['person']): void {
  if (run === null || person === 'is silent' || person === 'is away') return;
  const waiting = taken(run)?.context.calls.filter(({ status }) => status === 'asking') ?? [];
  // A snapshot may say that the time to decide is over.
  for (const { callId } of waiting)
    isTooLate(() => (person === 'approves' ? run.approve(callId) : run.deny(callId, 'not now')));
}

/** Null behind the end, where there is none. */
function taken(run: Run | null): Snapshot | null {
  try {
    return run?.snapshot() ?? null;
  } catch {
    return null;
  }
}
