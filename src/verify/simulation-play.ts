/**
 * Plays a script: a whole run through the real shell on a virtual clock, over as many processes as it takes. Nothing is
 * judged here.
 */
import type { ReactMachine } from '../../machines/react.machine.ts';
import { type Agent, createAgent } from '../agent.ts';
import type { CheckAnswer } from '../core/check-answer.ts';
import { AgentError } from '../core/errors.ts';
import type { Budget } from '../core/limits.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Snapshot } from '../core/snapshot.ts';
import type { TraceEvent } from '../core/trace.ts';
import type { Run } from '../run.ts';
import { simulatedDialect } from './simulation-dialects.ts';
import { createLife, type Life } from './simulation-life.ts';
import { type ModelLedger, simulatedModel } from './simulation-model.ts';
import { type NestedLedger, nestedAgent, nestedTool } from './simulation-nested.ts';
import { createPerson, type Decided, type Person } from './simulation-person.ts';
import type { Crash, SimulationScript } from './simulation-script.ts';
import { type Execution, simulatedToolRecord } from './simulation-tools.ts';
import { type VirtualClock, virtualClock } from './virtual-clock.ts';

/** All that a simulation left behind, for the promises to be held against. */
export interface Played extends ModelLedger {
  readonly budget: Budget;
  readonly modelRetries: number;
  readonly machine: ReactMachine | null;
  readonly outcome: Outcome<unknown>;
  /** Of all processes, in order. */
  readonly trace: readonly TraceEvent[];
  /** Null where the tools are not ours, and nobody can tell what they did. */
  readonly executions: readonly Execution[] | null;
  /** What the agent that runs as a tool spent; null likewise. */
  readonly nested: NestedLedger | null;
  /** What a person decided; null likewise. */
  readonly decided: readonly Decided[] | null;
  /** The run was aborted while it went on. */
  readonly aborted: boolean;
  readonly processes: number;
  /** Events that came in the ten days after the end. */
  readonly afterwards: number;
  /** Timers of the loop that were armed at the end. */
  readonly armed: number;
}

/** Throws where nothing is left that could bring the run to its end. */
export async function playSimulation(script: SimulationScript, machine: ReactMachine | null = null): Promise<Played> {
  const clock = virtualClock();
  const play: Play = {
    script,
    machine,
    clock,
    aborted: false,
    trace: [],
    executions: [],
    nested: { steps: 0, toolCalls: 0 },
    requests: [],
    answers: [],
    readsAnything: false,
    crashes: [],
  };
  play.crashes.push(...script.crashes);
  const person = createPerson(script.decisions);
  clock.setTimer(1, () => clock.setWall(clock.wallMs() + script.wallJumpMs));

  let process = startProcess(play, person, null);
  let processes = 1;
  for (;;) {
    const left = await clock.until(process.left);
    const snapshot = left.crashed ?? (left.outcome?.stopReason === 'suspended' ? left.outcome.snapshot : undefined);
    if (snapshot === undefined) break;
    await clock.pass(left.downMs);
    process = startProcess(play, person, stored(snapshot), left.torn);
    processes++;
  }
  const { budget, modelRetries } = script;
  const { outcome } = await process.left;
  if (outcome === null) throw new Error('The last process left no outcome.');
  const before = play.trace.length;
  const armed = process.life.armed();
  await clock.pass(10 * 86_400_000);
  return {
    ...play,
    ...{ budget, modelRetries, outcome, processes, armed },
    decided: person.decided,
    afterwards: play.trace.length - before,
  };
}

interface Play extends ModelLedger {
  readonly script: SimulationScript;
  readonly machine: ReactMachine | null;
  readonly clock: VirtualClock;
  readonly trace: TraceEvent[];
  readonly executions: Execution[];
  readonly nested: NestedLedger;
  readonly crashes: Crash[];
  aborted: boolean;
}

/** How a process was left: by the end of its run, or by a crash. */
interface Left {
  readonly outcome: Outcome | null;
  readonly crashed?: Snapshot;
  readonly torn: boolean;
  readonly downMs: number;
}

interface Process {
  readonly life: Life;
  readonly left: Promise<Left>;
}

function startProcess(play: Play, person: Person, from: Snapshot | null, torn = false): Process {
  const { script, clock } = play;
  const life = createLife(clock);
  let run: Run | null = null;
  let leave: (left: Left) => void = () => {};
  const left = new Promise<Left>((resolve) => {
    leave = resolve;
  });

  const crash = (due: Crash) => {
    const snapshot = run === null || life.dead() ? null : snapshotOf(run);
    if (snapshot === null) return; // it has ended
    life.die();
    leave({ ...due, outcome: null, crashed: snapshot });
  };
  const onEvent = (event: TraceEvent): unknown => {
    if (life.dead()) return null;
    play.trace.push(event);
    if (event.type === 'approval.asked' || event.type === 'run.resumed') person.look(life, () => run);
    const [due] = play.crashes;
    if (due !== undefined && play.trace.length >= due.afterEvents && event.type !== 'run.ended') {
      play.crashes.shift();
      if (due.when === 'later' || run === null) queueMicrotask(() => crash(due));
      else crash(due);
    }
    return observed(script.observer);
  };
  const agent = agentOf(play, life, onEvent);
  const abortIn = (abort: () => void) => {
    const { abortAtMs } = script;
    if (from !== null || abortAtMs === null) return;
    life.world.setTimer(abortAtMs, () => {
      play.aborted = play.trace.at(-1)?.type !== 'run.ended';
      abort();
    });
  };
  if (from !== null && torn) mustRefuse(agent, from);
  const ended = (outcome: Outcome) => life.dead() || leave({ outcome, torn: false, downMs: 86_400_000 });
  if (from === null && !script.attended) void unattended(agent, abortIn).then(ended);
  else {
    run = from === null ? agent.start('the task') : agent.resume(from);
    abortIn(() => run?.abort('enough'));
    void run.outcome.then(ended);
  }
  return { life, left };
}

/** A document of which a part is missing is refused whole, and changes nothing. */
function mustRefuse(agent: Agent, { history, ...rest }: Snapshot): void {
  try {
    Reflect.apply(agent.resume, undefined, [{ ...rest, history: { messages: history.messages } }]);
  } catch (thrown) {
    if (thrown instanceof AgentError && thrown.code === 'invalid_snapshot') return;
    throw thrown;
  }
  throw new Error('A torn snapshot was taken up.');
}

function unattended(agent: Agent, abortIn: (abort: () => void) => void): Promise<Outcome> {
  const abort = new AbortController();
  abortIn(() => abort.abort('enough'));
  return agent.run('the task', { signal: abort.signal });
}

function agentOf(play: Play, life: Life, onEvent: (event: TraceEvent) => unknown): Agent {
  const { script, machine } = play;
  const dialect = simulatedDialect(script.dialect);
  const tools = {
    ...simulatedToolRecord(script, life, play.executions),
    [nestedTool]: nestedAgent(script.nested, life, play.nested),
  };
  const checkAnswer = checksOf(script.checks);
  return createAgent({
    model: simulatedModel({ ...script, dialect, tools: Object.keys(tools) }, life, play),
    tools,
    budget: script.budget,
    loopGuard: script.loopGuard ? {} : 'off',
    maxParallel: script.maxParallel,
    modelRetries: script.modelRetries,
    ...(script.maxEmptyResults === undefined ? {} : { maxEmptyResults: script.maxEmptyResults }),
    dialect,
    system: 'Be brief.',
    onEvent,
    clock: life.engine,
    checkLaws: false, // the fold of the trace checks them, and says which
    ...(machine === null ? {} : { machine }),
    ...(checkAnswer === null ? {} : { checkAnswer }),
  });
}

function checksOf(checks: SimulationScript['checks']): CheckAnswer | null {
  switch (checks) {
    case 'none':
      return null;
    case 'accepts':
      return () => true;
    case 'rejects':
      return (answer: string) => `Not ${answer}.`;
    case 'throws':
      return (): never => {
        throw new Error('The check threw.');
      };
    case 'hangs':
      return () => new Promise<true>(() => {});
  }
}

function observed(observer: SimulationScript['observer']): unknown {
  switch (observer) {
    case 'watches':
      return null;
    case 'throws':
      throw new Error('The observer threw.');
    case 'rejects':
      return Promise.reject(new Error('The observer rejected.'));
    case 'hangs':
      return new Promise(() => {});
  }
}

/** As it comes back from a store: text, and nothing else. Null where there is nothing to go on from. */
function snapshotOf(run: Run): Snapshot | null {
  try {
    const snapshot = run.snapshot();
    return snapshot.context.stopReason === null ? stored(snapshot) : null;
  } catch (thrown) {
    if (thrown instanceof AgentError) return null;
    throw thrown;
  }
}

function stored(snapshot: Snapshot): Snapshot {
  const plain: Snapshot = JSON.parse(JSON.stringify(snapshot));
  return plain;
}
