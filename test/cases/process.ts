/** One process of a case: an agent made anew, and a run begun or taken up again through its public doors. */
import { getEventListeners } from 'node:events';
import {
  AgentError,
  type AgentOptions,
  type Budget,
  createAgent,
  type Outcome,
  type ToolRecord,
  type TraceEvent,
} from '../../src/index.ts';
import { realTime, scriptedTime } from './case-clock.ts';
import type { PlannedEvent } from './events.ts';
import { type Ending, noEnding } from './facts.ts';
import { watched } from './model.ts';
import { agentOptionsOf } from './options.ts';
import { noteEvent } from './seen.ts';
import type { Process, Session } from './session.ts';
import { slowStore } from './slow-store.ts';
import { task } from './task.ts';
import { toolsOf } from './tools.ts';

/** Begins the run of the case. Nobody holds it where a person decides only later: it then ends as suspended. */
export function beginRun(session: Session): void {
  const process = createProcess(session);
  const { signal } = session.controller;
  const { tools, ...options } = optionsFor(session, process);
  attempt(session, 'setup', () => {
    const agent = createAgent({ ...options, tools: tools() });
    if (isAttended(session)) hold(process, agent.start(task, { signal }));
    else follow(process, agent.run(task, { signal }));
  });
}

/** Takes it up from a snapshot, in a process of its own: what was before is dead. */
export function resumeRun(session: Session, snapshot: string, budget: Partial<Budget>): void {
  const process = createProcess(session);
  session.seen.restored = true;
  const { signal } = session.controller;
  const { tools, ...options } = optionsFor(session, process);
  attempt(session, 'restore', () => {
    const agent = createAgent({ ...options, tools: tools() });
    hold(process, agent.resume(JSON.parse(snapshot), { signal, budget }));
    if (isSuspended(process)) process.wake();
  });
}

export function endLife(process: Process | null): void {
  if (process === null) return;
  process.alive = false;
  process.wake();
}

export function isSuspended({ run, outcome, alive }: Process): boolean {
  if (!alive || run === null || outcome !== null) return false;
  const { state } = run.snapshot();
  return typeof state !== 'string' && state.ACTION === 'awaitingApproval';
}

function isAttended({ one, queue }: Session): boolean {
  const codes = one.expect['must not'].map(({ code }) => code);
  const looksInside = codes.some((code) => insideCodes.has(code));
  if (looksInside || (one.given.stream === true && one.given.settings?.readOnly === undefined)) return true;
  return !queue.every((event) => ofOutcome.has(event.moment.kind) && !isDecision(event));
}

/** What can only be seen of a run that is held. */
const insideCodes: ReadonlySet<string> = new Set([
  'snapshot_growth_over_bytes',
  'trace_events_kept_over',
  'inspector_queue_over',
]);
const ofOutcome: ReadonlySet<string> = new Set(['beforeStart', 'suspended', 'restored', 'later', 'end']);

/** A decision that is the first thing done at a pause needs the run; after a snapshot it is for the restored one. */
function isDecision({ moment, verbs }: PlannedEvent): boolean {
  return moment.kind === 'suspended' && verbs[0]?.verb !== 'snapshot';
}

function createProcess(session: Session): Process {
  const { seen } = session;
  endLife(session.process);
  const clock = session.one.given.http === undefined ? scriptedTime() : realTime();
  const startMs = clock.nowMs();
  const earlierMs = seen.nowMs();
  seen.nowMs = () => earlierMs + clock.nowMs() - startMs;
  let wake = () => {};
  const process: Process = {
    number: (session.process?.number ?? 0) + 1,
    alive: true,
    clock,
    run: null,
    outcome: null,
    thrown: null,
    rest: Promise.resolve(),
    wake: () => wake(),
    renew() {
      process.rest = new Promise((resolve) => {
        wake = resolve;
      });
      if (!process.alive || process.outcome !== null || process.thrown !== null) wake();
    },
    onToolStart: (tool) => armForTool(session, process, tool),
  };
  process.renew();
  session.process = process;
  return process;
}

/** What cannot be put in the library's words is thrown here, and is no refusal of the library. */
function optionsFor(
  session: Session,
  process: Process,
): Omit<AgentOptions, 'tools'> & { readonly tools: () => ToolRecord } {
  const { one, seen, source, schemaFrom, keptTrace } = session;
  const { forAgent } = process.clock;
  const { store } = one.given;
  return {
    ...agentOptionsOf(one),
    ...(forAgent === null ? {} : { clock: forAgent }),
    ...(store === undefined ? {} : { store: slowStore(store.writeDelayMs ?? 0, process.clock) }),
    tools: toolsOf(one, seen, process, schemaFrom),
    model: watched(source.model(process), process, seen, ({ step }) => beforeModelCall(session, process, step)),
    onEvent: [(event) => onEvent(session, process, event), ...(keptTrace === null ? [] : [keptTrace.onEvent])],
  };
}

function onEvent(session: Session, process: Process, event: TraceEvent): void {
  if (!process.alive) return;
  noteEvent(session.seen, event, process.number, session.inspector);
  if (event.type !== 'approval.asked') return;
  session.arrive(({ verbs }) => verbs[0]?.verb === 'approveImmediately');
  process.wake();
}

/** Between two steps: what is left over from the last one, and what happens from outside. */
function beforeModelCall(session: Session, process: Process, step: number): void {
  const { samples } = session.seen;
  samples.listeners.push(getEventListeners(session.controller.signal, 'abort').length);
  samples.timers.push(process.clock.armed() - session.seen.ownTimers);
  const wanted = session.one.expect['must not'].some(({ code }) => code === 'snapshot_growth_over_bytes');
  if (wanted && process.run !== null)
    samples.snapshots.push({ steps: step - 1, bytes: JSON.stringify(process.run.snapshot()).length });
  session.arrive(({ moment }) => moment.kind === 'step' && moment.step === step - 1);
}

function armForTool(session: Session, process: Process, tool: string): void {
  const next = session.queue[0];
  if (next?.moment.kind !== 'tool' || next.moment.tool !== tool) return;
  process.clock.setTimer(next.moment.afterMs, () => {
    if (process.alive) session.arrive((event) => event === next);
  });
}

function hold(process: Process, run: NonNullable<Process['run']>): void {
  process.run = run;
  follow(process, run.outcome);
}

function follow(process: Process, outcome: Promise<Outcome>): void {
  outcome.then(
    (value) => {
      process.outcome = value;
      process.wake();
    },
    (thrown: unknown) => {
      process.thrown = describe(thrown);
      process.wake();
    },
  );
}

function attempt(session: Session, phase: 'setup' | 'restore', work: () => void): void {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof AgentError) session.refused = refusal(phase, thrown);
    else session.thrown = describe(thrown);
    endLife(session.process);
    session.process = null;
  }
}

function refusal(phase: 'setup' | 'restore', { message, hint, code }: AgentError): Ending {
  return { ...noEnding, outcome: 'error', phase, error: `${message} ${hint}`, errorCode: code };
}

export function describe(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
}
