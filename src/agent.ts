/**
 * The agent: what is fixed for all its runs, checked once when it is made. Of the environment, only the variables
 * that `redact` names are read. Nothing runs before `run`, `start` or `resume`.
 */
import type { AgentOptions, ResumeOptions, RunOptions, StartOptions } from './agent-options.ts';
import { type AgentTool, type AsToolOptions, asTool } from './as-tool.ts';
import { AgentError } from './core/errors.ts';
import {
  defaults,
  readBudget,
  readCount,
  readCountFromOne,
  readLoopGuard,
  readSizes,
  readTimeouts,
} from './core/limits.ts';
import type { Message } from './core/model.ts';
import type { Outcome } from './core/outcome.ts';
import type { InferAnswer, InputSchema } from './core/schema.ts';
import type { RunLimits, Snapshot } from './core/snapshot.ts';
import { messagesIn } from './dispatch/messages.ts';
import { readPolicy, toolsUnder } from './dispatch/policy.ts';
import { compileTools, describeTool } from './dispatch/toolbox.ts';
import { type AgentLogic, createLogic, type Starts, type Watched } from './logic.ts';
import { systemMessage } from './protocol/prompt.ts';
import { createReader, dialectNamed, violationHint } from './protocol/read.ts';
import { createRun, type Run } from './run.ts';
import { type AnswerRules, checkEndingCall, readAnswerRules } from './shell/answer-rules.ts';
import { checkAgentOptions, checkDialect, checkRunOptions, checkSnapshot, checkSpent } from './shell/check-options.ts';
import { lastingRuns } from './shell/lasting.ts';
import { checksByDefault, lawfulPort } from './shell/lawful-port.ts';
import { readObservers } from './shell/observing.ts';
import type { RunPlan } from './shell/plan.ts';
import { redactTexts } from './shell/redact-events.ts';
import { readSecrets } from './shell/secrets.ts';
import { systemClock } from './shell/system-clock.ts';
import { createWithin } from './shell/within.ts';
import { createPort } from './step.ts';

/** `Answer` is what an `answerSchema` makes of the answer, and a text without one. */
export interface Agent<Answer = string> {
  /**
   * Runs a task to its outcome. Rejects only for misuse, before the first step. A call that needs a person suspends the
   * run: the outcome then holds a snapshot for `resume`.
   */
  run(task: string, options?: RunOptions): Promise<Outcome<Answer>>;
  /** Starts a run and hands it out: to watch, approve, deny, abort and take snapshots. */
  start(task: string, options?: StartOptions): Run<Answer>;
  /** Goes on from a snapshot, perhaps with another budget. Throws `invalid_snapshot` for what is damaged or foreign. */
  resume(snapshot: Snapshot, options?: ResumeOptions): Run<Answer>;
  /**
   * Goes on with a run of the agent's `store`: one that waits for a person, that a crash interrupted, or that reached a limit.
   * One that is over comes with its outcome again, and nothing runs. Rejects with AgentError: `run_held` where somebody else
   * drives it, `invalid_journal` where what is stored cannot be used, `store_failed`.
   */
  resume(runId: string, options?: ResumeOptions): Promise<Run<Answer>>;
  /** The agent as XState actor logic: invoke or spawn it in a machine of your own. Stopping it aborts the run. */
  readonly logic: AgentLogic<Answer>;
  /**
   * The agent as a tool of another one: it is given a task, and its answer is the result. It spends a share of what is left
   * of the budget of the run that calls it, and its events stand in that trace as `call.nested`.
   */
  asTool(options: AsToolOptions): AgentTool<Answer>;
}

/** Throws AgentError (`invalid_option`) that names the option and says what is allowed. */
export function createAgent<Schema extends InputSchema | undefined = undefined>(
  options: AgentOptions<Schema>,
): Agent<InferAnswer<Schema>> {
  const { fixed, limits, reading, system, answers } = readAgent(options);
  const lasting = options.store === undefined ? null : lastingRuns(options.store, fixed);

  const start: Starts<InferAnswer<Schema>>['start'] = (task, given, how) => {
    checkRunOptions(task, given, how.held);
    const runId = given.runId ?? crypto.randomUUID();
    const plan: RunPlan = {
      ...fixed,
      ...reading([]),
      ...givenTo(given, fixed, how),
      limits: { ...limits, ...readBudget(given.budget, limits) },
      runId,
      openJournal: how.openJournal === undefined ? (lasting?.begin(runId) ?? null) : how.openJournal,
      task: fixed.messages.redactor.text(task),
      opening: openingOf(system(given.instructions), given.messages ?? [], task),
    };
    return createRun(plan, answers, null);
  };

  const resume: Starts<InferAnswer<Schema>>['resume'] = (document, given, how) => {
    const snapshot = checkSnapshot(document, fixed.port);
    checkDialect(snapshot, fixed.dialect);
    checkEndingCall(snapshot, answers);
    const kept = snapshot.context.limits;
    const budget = readBudget(given.budget, kept);
    const now = { ...kept, ...budget, checksAnswer: kept.checksAnswer || limits.checksAnswer };
    checkSpent(snapshot, now, fixed.port);
    const plan: RunPlan = {
      ...fixed,
      ...reading(snapshot.tools),
      ...givenTo(given, fixed, how),
      limits: now,
      runId: snapshot.runId,
      openJournal: how.openJournal === undefined ? (lasting?.from(snapshot) ?? null) : how.openJournal,
      task: snapshot.task,
      opening: [],
    };
    return createRun(plan, answers, snapshot);
  };

  function goOn(snapshot: Snapshot, given?: ResumeOptions): Run<InferAnswer<Schema>>;
  function goOn(runId: string, given?: ResumeOptions): Promise<Run<InferAnswer<Schema>>>;
  function goOn(from: Snapshot | string, given: ResumeOptions = {}) {
    const how = { held: true, observer: null };
    if (typeof from !== 'string') return resume(from, given, how);
    if (lasting === null) return Promise.reject(noStore(from));
    return lasting.resume(from, answers, (snapshot, openJournal) => resume(snapshot, given, { ...how, openJournal }));
  }

  return {
    run: async (task, given = {}) => start(task, given, { held: false, observer: null }).outcome,
    start: (task, given = {}) => start(task, given, { held: true, observer: null }),
    resume: goOn,
    logic: createLogic({ start, resume }, fixed.port.machine.config),
    asTool: (given) => asTool({ start }, { ...fixed, budget: limits }, given),
  };
}

type Given = Pick<RunPlan, 'context' | 'signal' | 'held' | 'attended' | 'observers'>;

/** What each run is given anew. */
function givenTo(given: ResumeOptions, fixed: Fixed, { held, observer }: Watched): Given {
  return {
    context: given.context,
    signal: given.signal ?? given.abortSignal ?? null,
    held,
    attended: held && given.attended !== false,
    observers: observer === null ? fixed.observers : [...fixed.observers, observer],
  };
}

/** What a plan has before it is known which run it is for. */
type Fixed = Omit<
  RunPlan,
  | 'limits'
  | 'runId'
  | 'openJournal'
  | 'task'
  | 'opening'
  | 'context'
  | 'signal'
  | 'held'
  | 'attended'
  | keyof ReadsReplies
>;

type ReadsReplies = Pick<RunPlan, 'registered' | 'createReader' | 'cutHint'>;

interface ReadAgent<Answer> {
  readonly fixed: Fixed;
  readonly limits: RunLimits;
  /** `before`: the tools that the run had when it was left. */
  readonly reading: (before: readonly string[]) => ReadsReplies;
  readonly answers: AnswerRules<Answer>;
  /** The system message, with a run's own instructions; null where there is none. */
  readonly system: (instructions: string | undefined) => string | null;
}

function readAgent<Schema extends InputSchema | undefined>(
  options: AgentOptions<Schema>,
): ReadAgent<InferAnswer<Schema>> {
  checkAgentOptions(options);
  const { model, language = 'en', clock = systemClock, plainText = 'violation' } = options;
  const timeouts = readTimeouts(options.timeouts);
  const dialect = dialectNamed(options.dialect ?? 'labelled');
  const compiled = compileTools(options.tools ?? {}, timeouts.toolMs);
  const descriptions = [...compiled.values()].map(describeTool);
  const names = [...compiled.keys()];
  const messages = messagesIn(language, readSecrets(options.redact));
  const policy = readPolicy(options.policy, names);
  const answers = readAnswerRules(options, compiled, policy);
  const port = createPort(options.machine);
  return {
    fixed: {
      port: (options.checkLaws ?? checksByDefault()) ? lawfulPort(port) : port,
      model,
      dialect,
      requestTools: redactTexts(dialect.wire?.tools(descriptions) ?? null, messages.redactor),
      language,
      toolbox: toolsUnder(policy, compiled, messages),
      messages,
      policy,
      timeouts,
      sizes: readSizes(options.sizes),
      temperature: options.temperature ?? defaults.temperature,
      requireTools: answers.tools,
      checkResult: options.checkResult ?? null,
      looksLikeError: options.looksLikeError ?? null,
      observers: readObservers(options.onEvent),
      clock,
      within: createWithin(clock),
    },
    reading: (before) => {
      const registered = [...before, ...names.filter((name) => !before.includes(name))];
      const read = { dialect, tools: names, registered, language, plainText };
      return {
        registered,
        createReader: () => createReader(read),
        cutHint: (violation) => violationHint(violation, read),
      };
    },
    limits: readLimits(options, answers),
    answers,
    system: (own) => {
      if (options.system !== undefined) return options.system === '' ? null : options.system;
      const instructions = [options.instructions, own].filter((part) => part !== undefined && part !== '').join('\n\n');
      return systemMessage(dialect, {
        tools: descriptions,
        language,
        examples: options.examples ?? true,
        answer: answers.schema?.jsonSchema ?? null,
        instructions,
      });
    },
  };
}

type LimitOptions = Pick<AgentOptions, 'budget' | 'loopGuard' | 'maxParallel' | 'maxEmptyResults' | 'modelRetries'>;

function readLimits(options: LimitOptions, { schema, tools, checks }: AnswerRules<never>): RunLimits {
  return {
    ...readBudget(options.budget),
    loopGuard: readLoopGuard(options.loopGuard),
    maxParallel: readCountFromOne('maxParallel', options.maxParallel ?? defaults.maxParallel),
    maxEmptyResults:
      options.maxEmptyResults === undefined ? null : readCountFromOne('maxEmptyResults', options.maxEmptyResults),
    modelRetries: readCount('modelRetries', options.modelRetries ?? defaults.modelRetries),
    checksAnswer: schema !== null || tools.length + checks.length > 0,
  };
}

function noStore(runId: string): AgentError {
  return new AgentError('invalid_option', `${JSON.stringify(runId)} is the id of a run, and the agent has no store.`, {
    hint: "Make the agent with a store: createAgent({ store: fileStore('runs'), … }). Or pass a snapshot.",
  });
}

function openingOf(system: string | null, before: readonly Message[], task: string): readonly Message[] {
  const first: readonly Message[] = system === null ? [] : [{ role: 'system', content: system }];
  return [...first, ...before, { role: 'user', content: task }];
}
