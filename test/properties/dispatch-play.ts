/** One drawn run of calls: tools that misbehave, a person, an abort, and processes that die; and the ledger of what was done. */
import { createAgent } from '../../src/agent.ts';
import type { JsonValue } from '../../src/core/json.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { Policy } from '../../src/core/policy.ts';
import type { Snapshot } from '../../src/core/snapshot.ts';
import type { AnyTool, ToolCallOptions, ToolMarks } from '../../src/core/tool.ts';
import type { TraceEvent } from '../../src/core/trace.ts';
import { type RecordedRequest, type ScriptedCall, scriptedModel } from '../../src/models/scripted.ts';
import type { Run } from '../../src/run.ts';
import { type ToolBehaviour, toolOf } from '../../src/testing.ts';
import { createLife, type Life } from '../../src/verify/simulation-life.ts';
import { type VirtualClock, virtualClock } from '../../src/verify/virtual-clock.ts';
import type { Started } from '../dispatch/contract-play.ts';

export const tools = {
  look: { readOnly: true, retries: 1, rateLimit: { calls: 2, perMs: 1_000 } },
  put: { idempotent: true, retries: 1 },
  poke: { retries: 1 },
  send: { sideEffect: true, retries: 1 },
  tell: { sideEffect: true, needsApproval: false, maxCallsPerRun: 2 },
} as const satisfies Readonly<Record<string, ToolMarks & { readonly needsApproval?: boolean }>>;

export type Decision = 'approve' | 'deny' | 'edit' | 'never';

export interface Death {
  readonly afterEvents: number;
  /** `at_once`: what follows from the event was not begun. */
  readonly when: 'at_once' | 'later';
}

export interface Drawn {
  /** The calls of each reply; behind the last the model answers. */
  readonly replies: readonly (readonly ScriptedCall[])[];
  /** By execution; behind the last all tools are calm. */
  readonly behaviours: readonly ToolBehaviour[];
  readonly policy: Policy | null;
  readonly attended: boolean;
  readonly decisions: readonly Decision[];
  readonly abortAfterEvents: number | null;
  readonly deaths: readonly Death[];
}

export interface Execution extends Started {
  readonly does: ToolBehaviour['does'];
  readonly process: number;
}

export interface Ledger {
  readonly outcome: Outcome;
  readonly trace: readonly TraceEvent[];
  readonly requests: readonly RecordedRequest[];
  readonly executions: readonly Execution[];
  /** Call ids that a person allowed. */
  readonly approved: ReadonlySet<string>;
  readonly processes: number;
  readonly tookMs: number;
  readonly armed: number;
  readonly afterwards: number;
}

interface Stage {
  readonly drawn: Drawn;
  readonly clock: VirtualClock;
  readonly trace: TraceEvent[];
  readonly requests: RecordedRequest[];
  readonly executions: Execution[];
  readonly approved: Set<string>;
  readonly decisions: Decision[];
  readonly deaths: Death[];
  processes: number;
}

export async function playDrawn(drawn: Drawn): Promise<Ledger> {
  const stage: Stage = {
    drawn,
    clock: virtualClock(),
    trace: [],
    requests: [],
    executions: [],
    approved: new Set(),
    decisions: [...drawn.decisions],
    deaths: [...drawn.deaths],
    processes: 0,
  };
  let from: Snapshot | null = null;
  for (;;) {
    const { life, left } = startProcess(stage, from);
    const { outcome, snapshot } = await stage.clock.until(left);
    if (snapshot !== null) from = stored(snapshot);
    if (snapshot !== null || outcome === null) continue;
    const { trace } = stage;
    const [tookMs, armed, events] = [stage.clock.monotonicMs(), life.armed(), trace.length];
    await stage.clock.pass(100 * 86_400_000);
    return { ...stage, outcome, tookMs, armed, afterwards: trace.length - events };
  }
}

/** How a process was left: by the end of its run, or with something to go on from. */
interface Left {
  readonly outcome: Outcome | null;
  readonly snapshot: Snapshot | null;
}

function startProcess(stage: Stage, from: Snapshot | null): { readonly life: Life; readonly left: Promise<Left> } {
  const { trace, deaths, drawn } = stage;
  stage.processes++;
  const life = createLife(stage.clock);
  let run: Run | null = null;
  let leave: (left: Left) => void = () => {};
  const left = new Promise<Left>((resolve) => {
    leave = resolve;
  });
  const die = () => {
    if (run === null || life.dead() || trace.at(-1)?.type === 'run.ended') return;
    const snapshot = run.snapshot();
    if (snapshot.context.stopReason !== null) return; // it ends in this very moment
    life.die();
    leave({ outcome: null, snapshot });
  };
  const meet = () => {
    if (trace.length === drawn.abortAfterEvents) queueMicrotask(() => life.dead() || run?.abort('enough'));
    if (trace.length < (deaths[0]?.afterEvents ?? Number.POSITIVE_INFINITY)) return;
    const death = deaths.shift();
    if (death?.when === 'later' || run === null) queueMicrotask(die);
    else die();
  };
  const onEvent = (event: TraceEvent) => {
    if (life.dead()) return;
    trace.push(event);
    if (event.type === 'approval.asked' || event.type === 'run.resumed') decideSoon(stage, life, () => run);
    if (event.type !== 'run.ended') meet();
  };
  const agent = agentOf(stage, life, onEvent);
  run = from === null ? agent.start('the task', { attended: drawn.attended }) : agent.resume(from);
  void run.outcome.then((outcome) => {
    if (!life.dead())
      leave({ outcome, snapshot: outcome.stopReason === 'suspended' ? (outcome.snapshot ?? null) : null });
  });
  return { life, left };
}

function agentOf(stage: Stage, life: Life, onEvent: (event: TraceEvent) => void) {
  const { drawn, requests } = stage;
  const model = scriptedModel(
    Array.from({ length: 40 }, () => (request) => {
      if (!life.dead()) requests.push(request);
      const calls = drawn.replies[request.step - 1];
      return calls === undefined ? 'done' : { calls };
    }),
    { clock: life.world },
  );
  return createAgent({
    model,
    tools: Object.fromEntries(Object.entries(tools).map(([name, marks]) => [name, tool(stage, life, name, marks)])),
    dialect: 'native',
    loopGuard: 'off',
    timeouts: { toolMs: 1_000, approvalMs: 60_000 },
    ...(drawn.policy === null ? {} : { policy: drawn.policy }),
    clock: life.engine,
    onEvent,
  });
}

const calm: ToolBehaviour = { does: 'returns', afterMs: 0, value: 'calm' };

function tool({ executions, clock, processes, drawn }: Stage, life: Life, name: string, marks: ToolMarks): AnyTool {
  return {
    inputSchema: { type: 'object' },
    ...marks,
    execute(input: unknown, options: ToolCallOptions) {
      if (life.dead()) return new Promise(() => {}); // its process is gone: nothing is begun
      const behaviour = drawn.behaviours[executions.length] ?? calm;
      const asText = JSON.stringify(input);
      const { does } = behaviour;
      executions.push({ tool: name, does, atMs: clock.monotonicMs(), input: asText, options, process: processes });
      const { execute } = toolOf(behaviour, life.world);
      const given: unknown = Reflect.apply(execute ?? Object, undefined, [input, options]);
      return given instanceof Promise ? life.while(given) : given;
    },
  };
}

function decideSoon(stage: Stage, life: Life, run: () => Run | null): void {
  life.world.setTimer(5, () => {
    const present = run();
    if (present === null || stage.trace.at(-1)?.type === 'run.ended') return;
    const { state, context } = present.snapshot();
    if (JSON.stringify(state) !== '{"ACTION":"awaitingApproval"}') return;
    for (const { callId, status } of context.calls) if (status === 'asking') decide(stage, present, callId);
  });
}

function decide({ decisions, approved }: Stage, run: Run, callId: string): void {
  const decision = decisions.shift() ?? 'approve';
  const edited: JsonValue = { n: 1 };
  // The last word counts: what a dying process did not record is asked again.
  if (decision === 'approve' || decision === 'edit') approved.add(callId);
  else approved.delete(callId);
  if (decision === 'approve') run.approve(callId);
  if (decision === 'edit') run.approve(callId, { input: edited });
  if (decision === 'deny') run.deny(callId, 'not today');
}

/** As it comes back from a store: text, and nothing else. */
function stored(snapshot: Snapshot): Snapshot {
  const plain: Snapshot = JSON.parse(JSON.stringify(snapshot));
  return plain;
}
