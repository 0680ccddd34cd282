/**
 * One row of the contract of dispatch, and how it is played: a whole run through the public door, on a virtual clock. Calls
 * are in the provider's own form, where a reply may hold several and each has a message of its own for its result.
 */
import { createAgent } from '../../src/agent.ts';
import type { AgentOptions } from '../../src/agent-options.ts';
import type { Outcome, StepCall } from '../../src/core/outcome.ts';
import type { Snapshot } from '../../src/core/snapshot.ts';
import type { StopReason } from '../../src/core/stop-reasons.ts';
import type { AnyTool, ToolCallOptions, ToolRecord } from '../../src/core/tool.ts';
import type { TraceEvent } from '../../src/core/trace.ts';
import type { Gate } from '../../src/core/verdict.ts';
import {
  type RecordedRequest,
  type ScriptedCall,
  type ScriptedReply,
  scriptedModel,
} from '../../src/models/scripted.ts';
import type { Run } from '../../src/run.ts';
import { type CountingClock, countingClock } from '../../src/verify/counting-clock.ts';
import { type VirtualClock, virtualClock } from '../../src/verify/virtual-clock.ts';

/** What a tool does when it is called. */
export type Does = (called: Called) => unknown;

export interface Called {
  readonly input: unknown;
  readonly options: ToolCallOptions;
  /** How often this tool was started, this time included. */
  readonly nth: number;
  /** Timers of the tool: they are its own matter. */
  readonly timers: CountingClock;
  /** Its effect happens in the world. */
  commit(): void;
  /** The caller aborts the run. */
  abort(): void;
}

export type RowTool = Partial<AnyTool> & { readonly does: Does };
export type RowTools = Readonly<Record<string, RowTool>>;

/** What a person says of a call that waits. */
export type Word = (run: Run, callId: string) => void;
/** By call id; a call that is not named is left alone. */
export type Person = Readonly<Record<string, Word>>;

/** What the model is told: the whole text, or a part of it. Null where it is told nothing. */
export type Fate = readonly [status: StepCall['status'], told: string | RegExp | null];

export interface Row {
  readonly what: string;
  readonly tools: RowTools;
  /** Reply by reply: calls, a text, or a whole reply. Behind the last the model answers `done`. */
  readonly says: readonly (readonly ScriptedCall[] | ScriptedReply | string)[];
  readonly agent?: Partial<AgentOptions>;
  /** Without one, nobody is there. */
  readonly person?: Person;
  readonly abortAtMs?: number;
  /** The process dies then, and the run goes on from its snapshot. */
  readonly diesAtMs?: number;
  /** The process that goes on where the first was suspended or died. */
  readonly later?: { readonly tools?: RowTools; readonly agent?: Partial<AgentOptions>; readonly person?: Person };

  /** Of all calls, in their order. */
  readonly calls: readonly Fate[];
  /** The tools that were really started, in that order. */
  readonly started: string;
  /** Default `final`. */
  readonly ends?: StopReason | undefined;
  /** Default: `done` where it ends with `final`. */
  readonly answer?: string;
  /** The ids of calls of which nobody knows whether they took effect; default none. */
  readonly unknown?: string;
  /** How long it took, exactly, in virtual time; default 0. */
  readonly tookMs?: number;
  /** Results that came too late and were recorded as ignored; default 0. */
  readonly late?: number;
  /** How often the tools did something to the world. */
  readonly effects?: number;
  /** The gates that refused or asked, in the order of the calls. */
  readonly gates?: readonly Gate[];
  /** When each try began, in virtual time. */
  readonly startedAtMs?: readonly number[];
}

export interface Started {
  readonly tool: string;
  readonly atMs: number;
  readonly input: string;
  readonly options: ToolCallOptions;
}

export interface Played {
  readonly row: Row;
  readonly outcome: Outcome;
  /** Of all processes; a dying one records nothing more. */
  readonly trace: readonly TraceEvent[];
  readonly requests: readonly RecordedRequest[];
  readonly started: readonly Started[];
  readonly effects: number;
  readonly tookMs: number;
  /** Timers that were armed at the end, but for those of tools and model. */
  readonly armed: number;
  /** Events in the hundred days after the end. */
  readonly afterwards: number;
}

export async function play(row: Row): Promise<Played> {
  const stage = newStage(row);
  const { clock, world, trace } = stage;
  let outcome = await clock.until(firstRun(stage));
  if (row.later !== undefined && !outcome.ok && outcome.snapshot !== undefined)
    outcome = await clock.until(goOn(stage, outcome.snapshot).outcome);
  const tookMs = clock.monotonicMs();
  const armed = clock.armed - world.armed();
  const events = trace.length;
  await clock.pass(100 * 86_400_000);
  const { requests } = stage.model;
  return { ...stage, outcome, requests, effects: stage.effects(), tookMs, armed, afterwards: trace.length - events };
}

interface Stage {
  readonly row: Row;
  readonly clock: VirtualClock;
  /** Of tools, model and person. */
  readonly world: CountingClock;
  readonly model: ReturnType<typeof scriptedModel>;
  readonly trace: TraceEvent[];
  readonly started: Started[];
  readonly effects: () => number;
  /** The run that goes on at present. */
  run: Run | null;
  dead: boolean;
  readonly commit: () => void;
}

function newStage(row: Row): Stage {
  const clock = virtualClock();
  const world = countingClock(clock);
  let effects = 0;
  return {
    row,
    clock,
    world,
    model: scriptedModel([...row.says.map(replyOf), 'done'], { clock: world }),
    trace: [],
    started: [],
    effects: () => effects,
    run: null,
    dead: false,
    commit: () => effects++,
  };
}

function replyOf(said: Row['says'][number]): ScriptedReply | string {
  return isCalls(said) ? { calls: said } : said;
}

function isCalls(said: Row['says'][number]): said is readonly ScriptedCall[] {
  return Array.isArray(said);
}

/** The outcome of the first process; or where it dies, of the one that goes on. */
function firstRun(stage: Stage): Promise<Outcome> {
  const { row, world } = stage;
  const { person, abortAtMs, diesAtMs } = row;
  const agent = agentOf(stage, row.tools, row.agent, person);
  const run = agent.start('the task', { runId: 'run', attended: person !== undefined });
  stage.run = run;
  if (abortAtMs !== undefined) world.setTimer(abortAtMs, () => run.abort('enough'));
  if (diesAtMs === undefined) return run.outcome;
  return new Promise((resolve) => {
    world.setTimer(diesAtMs, () => {
      const snapshot = run.snapshot();
      stage.dead = true;
      run.abort('the process dies');
      stage.dead = false;
      void goOn(stage, snapshot).outcome.then(resolve);
    });
  });
}

/** From what a store gives back: text, and nothing else. */
function goOn(stage: Stage, kept: Snapshot): Run {
  const { tools = stage.row.tools, agent, person } = stage.row.later ?? {};
  const snapshot: Snapshot = JSON.parse(JSON.stringify(kept));
  const again = agentOf(stage, tools, { ...stage.row.agent, ...agent }, person);
  const run = again.resume(snapshot, { attended: person !== undefined });
  stage.run = run;
  return run;
}

function agentOf(stage: Stage, tools: RowTools, options: Partial<AgentOptions> = {}, person: Person = {}) {
  const { clock, model, trace, world } = stage;
  const onEvent = (event: TraceEvent) => {
    if (stage.dead) return;
    trace.push(event);
    if (event.type !== 'approval.asked' && event.type !== 'run.resumed') return;
    world.setTimer(0, () => {
      if (trace.at(-1)?.type === 'run.ended') return;
      for (const [callId, say] of Object.entries(person)) if (isAsked(stage.run, callId)) say(stage.run, callId);
    });
  };
  return createAgent({
    model,
    tools: recordOf(stage, tools),
    dialect: 'native',
    loopGuard: 'off',
    clock,
    onEvent,
    ...options,
  });
}

function isAsked(run: Run | null, callId: string): run is Run {
  return run?.snapshot().context.calls.some((call) => call.callId === callId && call.status === 'asking') ?? false;
}

/** From entries: a tool may be called `__proto__`. */
function recordOf(stage: Stage, tools: RowTools): ToolRecord {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, toolOf(stage, name, tool)]));
}

function toolOf(stage: Stage, name: string, { does, ...marks }: RowTool): AnyTool {
  const { started, clock, world, commit } = stage;
  const execute = (input: unknown, options: ToolCallOptions) => {
    started.push({ tool: name, atMs: clock.monotonicMs(), input: JSON.stringify(input), options });
    const nth = started.filter(({ tool }) => tool === name).length;
    return does({ input, options, nth, timers: world, commit, abort: () => stage.run?.abort('the tool wants it') });
  };
  return { inputSchema: { type: 'object' }, timeoutMs: 1_000, execute, ...marks };
}
