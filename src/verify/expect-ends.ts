/**
 * For users' own tests: that their agent ends, honestly and within its budget, whatever the model says. It throws where
 * it does not, so that it fits every test runner.
 */
import type { ReactMachine } from '../../machines/react.machine.ts';
import type { Agent } from '../agent.ts';
import type { Clock } from '../core/clock.ts';
import { messageOf } from '../core/message-of.ts';
import type { Model } from '../core/model.ts';
import type { ToolRecord } from '../core/tool.ts';
import { isTraceEvent, type TraceEvent } from '../core/trace.ts';
import { compileTools, describeTool } from '../dispatch/toolbox.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { dialectNamed } from '../protocol/read.ts';
import { jsonInputs } from './arbitrary-input.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import { tryTargets } from './fuzz.ts';
import { fittingInputs } from './fuzz-inputs.ts';
import { broken, type FuzzTarget, feed } from './fuzz-target.ts';
import { createLife } from './simulation-life.ts';
import { type ModelLedger, simulatedModel } from './simulation-model.ts';
import { createPerson } from './simulation-person.ts';
import type { Played } from './simulation-play.ts';
import { brokenPromises } from './simulation-promises.ts';
import { type SimulatedCall, type SimulatedReply, simulatedReplies } from './simulation-replies.ts';
import type { Decision } from './simulation-script.ts';
import { virtualClock } from './virtual-clock.ts';

/** What an agent under test is made with. */
export interface HostileWorld {
  /** Says what models say at their worst: broken forms, unknown tools, endless streams, silence, failures. */
  readonly model: Model;
  /** Virtual: hours pass in milliseconds. A tool that waits for the real world is late at once; give it a fake. */
  readonly clock: Clock;
}

/** An agent, whatever its answers are. */
export type EndingAgent = Pick<Agent<unknown>, 'run' | 'start'>;

export interface ExpectEndsOptions {
  /** Default: `the task`. */
  readonly task?: string;
  /** How many runs; default 200. */
  readonly runs?: number;
  /** Default: a random one, which an error names. */
  readonly seed?: number;
  /** With the seed: one run, as an error names it. */
  readonly path?: string;
  /** The tools of the agent: calls are then drawn for them, with inputs that fit their schemas. */
  readonly tools?: ToolRecord;
  /** That of the agent, where it is one of your own: the recorded events are held against it. */
  readonly machine?: ReactMachine | null;
  /** In which the model writes; that of the agent, by name or one of your own. Default `labelled`. */
  readonly dialect?: string | Dialect;
}

/**
 * With a function that makes the agent: many runs against a hostile model, on virtual time, each ended and held to every
 * law, and to every promise that shows without knowing what your tools did. With an agent: one run as it is, in real time.
 *
 * Rejects with what broke, the smallest script that breaks it, and the seed and path to see it again. Needs fast-check
 * where a function is given.
 */
export async function expectEnds(
  subject: EndingAgent | ((world: HostileWorld) => EndingAgent),
  options: ExpectEndsOptions = {},
): Promise<void> {
  if (typeof subject !== 'function') return expectOneEnd(subject, options);
  const { seed, path, runs = 200 } = options;
  const target = hostileTarget(subject, options);
  const given = { ...(seed === undefined ? {} : { seed }), ...(path === undefined ? {} : { path }) };
  const result = await tryTargets([target], { target: target.name, runs, ...given });
  if (result.failure === null) return;
  const { message, example } = result.failure;
  const again = `{ seed: ${result.seed}, path: '${result.failure.path}' }`;
  throw new Error(`The agent broke a promise.\n${message}\n\nThe script:\n${example}\n\nTo see it again: ${again}`);
}

/** The run ends by its own budget, or the test's own time-out ends the test. */
async function expectOneEnd(agent: EndingAgent, { task = 'the task' }: ExpectEndsOptions): Promise<void> {
  const outcome = await agent.run(task);
  const again: unknown = JSON.parse(JSON.stringify(outcome));
  const wrong = [
    outcome.ok === (outcome.stopReason === 'final') ? '' : `ok is ${outcome.ok} with ${outcome.stopReason}`,
    outcome.ok && typeof outcome.answer === 'string' && outcome.answer.trim() === '' ? 'the answer is empty' : '',
    outcome.stopReason === 'internal_error' ? `the loop has a defect: ${messageOf(outcome.error)}` : '',
    JSON.stringify(again) === JSON.stringify(outcome) ? '' : 'the outcome does not survive JSON',
  ].filter((problem) => problem !== '');
  if (wrong.length > 0) throw new Error(`The agent broke a promise: ${wrong.join('; ')}.`);
}

interface HostileScript {
  readonly replies: readonly SimulatedReply[];
  readonly repeats: number;
  readonly decisions: readonly Decision[];
  readonly abortAtMs: number | null;
}

function hostileTarget(make: (world: HostileWorld) => EndingAgent, options: ExpectEndsOptions): FuzzTarget {
  return {
    name: 'agent',
    takes: [],
    tells: 'an agent of the user against a hostile model',
    runs: 200,
    feed: (fc) =>
      feed<HostileScript>({
        fc,
        draws: hostileScripts(fc, options),
        holds: async (script) => {
          const wrong = brokenPromises(await play(make, script, options));
          if (wrong.length > 0) throw broken(wrong.join('\n'));
        },
      }),
  };
}

function hostileScripts(
  fc: FastCheck,
  { dialect = 'labelled', tools = {} }: ExpectEndsOptions,
): Arbitrary<HostileScript> {
  const calls = Object.keys(tools).length === 0 ? undefined : callsOf(fc, tools);
  return fc.record<HostileScript>({
    replies: fc.array(simulatedReplies(fc, dialectNamed(dialect), calls), { maxLength: 10 }),
    repeats: fc.constantFrom(1, 1, 1, 5),
    decisions: fc.array(fc.constantFrom<Decision>('approve', 'deny', 'edit', 'never'), { maxLength: 4 }),
    abortAtMs: fc.constantFrom(null, null, null, 0, 5, 30_000),
  });
}

/** Mostly what the tools want; now and then any input, and a tool that does not exist. */
function callsOf(fc: FastCheck, tools: ToolRecord): Arbitrary<SimulatedCall> {
  const called = [...compileTools(tools, 1_000).values()].map(describeTool).map(({ name, inputSchema }) => {
    const fitting = fittingInputs(fc, inputSchema).map((input) => ({ tool: name, input }));
    return { weight: 3, arbitrary: fitting };
  });
  const any = fc.record({ tool: fc.constantFrom(...Object.keys(tools), 'unheard_of'), input: jsonInputs(fc) });
  return fc.oneof(...called, { weight: 1, arbitrary: any });
}

async function play(
  make: (world: HostileWorld) => EndingAgent,
  script: HostileScript,
  { task = 'the task', dialect = 'labelled', machine = null, tools = {} }: ExpectEndsOptions,
): Promise<Played> {
  const clock = virtualClock();
  const life = createLife(clock);
  const ledger: ModelLedger = { requests: [], answers: [], readsAnything: true };
  const spoken = { ...script, dialect: dialectNamed(dialect), tools: Object.keys(tools) };
  const agent = make({
    model: simulatedModel(spoken, life, ledger),
    clock: life.engine,
  });
  const run = agent.start(task);
  const person = createPerson(script.decisions);
  const trace: TraceEvent[] = [];
  const watched = (async () => {
    for await (const event of run) {
      if (!isTraceEvent(event)) continue;
      trace.push(event);
      if (event.type === 'approval.asked') person.look(life, () => run);
    }
  })();
  let aborted = false;
  if (script.abortAtMs !== null)
    life.world.setTimer(script.abortAtMs, () => {
      aborted = trace.at(-1)?.type !== 'run.ended';
      run.abort('enough');
    });
  const outcome = await clock.until(run.outcome);
  await clock.until(watched);
  const armed = life.armed();
  const before = trace.length;
  await clock.pass(10 * 86_400_000);
  const [first] = trace;
  if (first?.type !== 'run.started') throw broken('the trace does not begin with run.started');
  const { limits } = first;
  const unseen = { executions: null, decided: null, nested: null, aborted, processes: 1 };
  const { modelRetries } = limits;
  const told = { outcome, trace, armed, afterwards: trace.length - before };
  return { ...ledger, ...unseen, ...told, machine, budget: limits, modelRetries };
}
