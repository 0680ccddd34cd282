/** One run of the soak, over as many lives as its script wants: left at a question, an abort or a limit, taken up by its id. */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../src/core/message-of.ts';
import { isTraceEvent, type TraceEvent } from '../../src/core/trace.ts';
import type { Agent, Outcome, Run } from '../../src/index.ts';
import { budget, decisionOf } from './implied.ts';
import type { OpenLanes, World } from './lanes.ts';
import type { RunScript } from './script.ts';

export interface Lived {
  readonly outcome: Outcome;
  /** Of all lives. */
  readonly trace: readonly TraceEvent[];
  readonly lives: number;
  /** Why it could not be taken up once more; else null. */
  readonly refused: string | null;
}

interface Given {
  readonly task: string;
  readonly runId: string;
  readonly world: World;
  readonly signal: AbortSignal;
}

export async function live(script: RunScript, open: OpenLanes, given: Given): Promise<Lived> {
  const { task, runId, world: context, signal } = given;
  const { leaving } = script;
  const trace: TraceEvent[] = [];
  /** Calls that asked, in the order in which they did so for the first time. */
  const asked: string[] = [];
  const agentOf = (life: number): Agent => open.agentOf(script.lane, life);
  const begun = leaving ?? { attended: true, limit: null };
  const first = { context, signal, runId, attended: begun.attended, budget: begun.limit ?? budget };
  let run = agentOf(0).start(task, first);
  for (let lives = 1; ; lives++) {
    context.abort = () => run.abort('halted');
    const outcome = await watched(run, (event) => {
      trace.push(event);
      if (event.type === 'approval.asked' && !signal.aborted) decide(run, script, asked);
    });
    const next = signal.aborted ? null : goingOn(outcome, script);
    if (next === null) return { outcome, trace, lives, refused: null };
    await sleep(leaving?.pauseMs, null, { signal }).catch(() => {});
    try {
      run = await agentOf(lives).resume(runId, { context, signal, attended: true, ...next });
    } catch (thrown) {
      return { outcome, trace, lives, refused: messageOf(thrown) };
    }
  }
}

async function watched(run: Run, see: (event: TraceEvent) => void): Promise<Outcome> {
  for await (const event of run) if (isTraceEvent(event)) see(event);
  return await run.outcome;
}

/** With what it goes on; null where it has ended for good. */
function goingOn({ stopReason, usage }: Outcome, { leaving }: RunScript): { budget?: typeof budget } | null {
  if (leaving === null) return null;
  if (stopReason === 'suspended' || stopReason === 'aborted') return {};
  if (stopReason === 'max_tool_calls') return { budget };
  return stopReason === 'max_steps' && usage.steps < budget.maxSteps ? { budget } : null;
}

function decide(run: Run, script: RunScript, asked: string[]): void {
  const callId = run.snapshot().context.calls.find(({ status }) => status === 'asking')?.callId;
  if (callId === undefined) throw new Error('A run asks, and none of its calls waits.');
  const before = asked.indexOf(callId);
  const { first, allow } = decisionOf(script, before === -1 ? asked.push(callId) - 1 : before);
  if (before === -1 && first === 'suspend') return run.suspend();
  if (before === -1 && first === 'abort') return run.abort('not now');
  if (allow) run.approve(callId);
  else run.deny(callId, 'not this one');
}
