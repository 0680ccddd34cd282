/** The agent that replays a trace: made of today's options and of what was recorded. */
import { type Agent, createAgent } from '../agent.ts';
import { countTokens, messageUnits, tokensOfUnits, tokenUnits } from '../context/tokens.ts';
import type { Language } from '../core/language.ts';
import { type Budget, largestLimit, type Sizes, type Timeouts } from '../core/limits.ts';
import type { InferAnswer, InputSchema } from '../core/schema.ts';
import type { TraceEvent } from '../core/trace.ts';
import { messagesIn } from '../dispatch/messages.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { dialectNamed, dialectNames } from '../protocol/read.ts';
import { readSecrets } from '../shell/secrets.ts';
import { hintField } from './event-facts.ts';
import { unusable } from './read-jsonl.ts';
import { callsIn, type RecordedFacts } from './recorded-facts.ts';
import type { ReplayTime } from './replay-time.ts';
import { lacksText, type ReplayReading, replayedModel, standIn } from './replayed-model.ts';
import { type ReplayedTools, replayedTools } from './replayed-tools.ts';
import type { ReplayTraceOptions } from './trace-options.ts';
import type { RecordedPart, RecordedRun } from './trace-runs.ts';

export interface Replaying<Schema extends InputSchema | undefined> {
  readonly run: RecordedRun;
  readonly facts: RecordedFacts;
  readonly time: ReplayTime;
  readonly options: ReplayTraceOptions<Schema>;
  readonly onEvent: (event: TraceEvent) => void;
  /** The step that is being replayed. */
  readonly step: () => number;
}

export interface ReplayAgent<Answer> {
  readonly agent: Agent<Answer>;
  readonly tools: ReplayedTools;
  readonly reading: ReplayReading;
}

/** Throws AgentError for options that do not fit, such as a policy that names a tool that is not there. */
export function replayAgent<Schema extends InputSchema | undefined>(
  replaying: Replaying<Schema>,
  part: RecordedPart,
): ReplayAgent<InferAnswer<Schema>> {
  const { run, facts, time, options, onEvent, step } = replaying;
  const { started } = run;
  const { limits, policy } = part.begin;
  const dialect = dialectOf(options.dialect ?? started.dialect);
  const language = options.language ?? languageOf(run, dialect);
  const tools = replayedTools({
    names: started.tools,
    facts,
    time,
    messages: messagesIn(language, readSecrets(options.redact)),
    today: options.tools ?? null,
    asLate: options.timeouts?.toolMs === undefined,
    filler: fillerOf(run, facts, dialect),
  });
  const reading = { dialect, tools: Object.keys(tools.tools), plainText: options.plainText ?? 'violation' } as const;
  const [first] = started.messages;
  const { unfinished: _, ...agentOptions } = options;
  const agent = createAgent<Schema>({
    ...(policy === null ? {} : { policy }),
    ...(limits.maxEmptyResults === null ? {} : { maxEmptyResults: limits.maxEmptyResults }),
    ...(limits.checksAnswer ? { checkAnswer: () => judgedAgain(facts, time, step()) } : {}),
    loopGuard: limits.loopGuard ?? 'off',
    maxParallel: limits.maxParallel,
    modelRetries: limits.modelRetries,
    checkResult: tools.checkResult,
    looksLikeError: tools.looksLikeError,
    ...agentOptions,
    ...(hasChecks(options) && options.checkAnswer === undefined ? { checkAnswer: [] } : {}),
    language,
    dialect,
    model: replayedModel({ started, facts, time, reading }),
    tools: tools.tools,
    system: first?.role === 'system' ? first.content : '',
    budget: { ...budgetOf(limits), ...options.budget },
    timeouts: { ...patience(replaying, part), ...options.timeouts },
    sizes: { ...sizesOf(facts), ...options.sizes },
    clock: time.clock,
    onEvent,
  });
  return { agent, tools, reading };
}

/**
 * An answer of which no judgement was recorded hangs again. What a tool gave that ends the run was judged with its result, and
 * has none of its own.
 */
async function judgedAgain({ judged, calls }: RecordedFacts, time: ReplayTime, step: number): Promise<string | true> {
  const event = judged.get(step);
  if (event === undefined) return calls.has(`${step}.1`) || new Promise(() => {});
  await time.until(event.atMs, event.sequence);
  return event.type === 'answer.rejected' ? event.hint : true;
}

/** With any of them an answer is judged by today's rules alone. */
export function hasChecks({ answerSchema, requireTools, checkAnswer }: ReplayTraceOptions<InputSchema | undefined>) {
  return answerSchema !== undefined || requireTools !== undefined || checkAnswer !== undefined;
}

function dialectOf(given: string | Dialect): Dialect {
  if (typeof given === 'string' && !dialectNames.includes(given))
    throw unusable(
      `The run was recorded in the dialect ${JSON.stringify(given)}, which does not ship.`,
      `Give it as the option dialect. Those that ship: ${dialectNames.join(', ')}.`,
    );
  return dialectNamed(given);
}

/** That of the system message, which a trace does not name. */
function languageOf({ started: { messages } }: RecordedRun, dialect: Dialect): Language {
  const [first] = messages;
  if (first?.role !== 'system') return 'en';
  const lines = dialect.instructions({ tools: [], language: 'zh', examples: false }).split('\n');
  return lines.some((line) => /[\u4e00-\u9fff]/.test(line) && first.content.includes(line)) ? 'zh' : 'en';
}

/**
 * Where tools go beside the messages, the trace holds their names and how many tokens they took. A description of that length
 * makes today's prompts as long.
 */
function fillerOf({ started }: RecordedRun, { firstPromptTokens }: RecordedFacts, { wire }: Dialect): string {
  if (wire === undefined || firstPromptTokens === null || started.tools.length === 0) return '';
  const bare = wire.tools(started.tools.map((name) => ({ name, description: '', inputSchema: null })));
  const units = started.messages.reduce((sum, { content }) => sum + messageUnits(content), 0);
  const own = tokensOfUnits(units) + tokensOfUnits(tokenUnits(JSON.stringify(bare)));
  return 'x'.repeat(4 * Math.max(0, firstPromptTokens - own));
}

export function budgetOf(limits: Budget): Budget {
  const { maxSteps, maxTokens, wallClockMs, maxToolCalls, maxViolations, maxToolErrors } = limits;
  return { maxSteps, maxTokens, wallClockMs, maxToolCalls, maxViolations, maxToolErrors };
}

/** Nothing that was recorded is too late today. */
function patience({ options }: Replaying<InputSchema | undefined>, { begin, events }: RecordedPart): Partial<Timeouts> {
  const { wallClockMs } = { ...begin.limits, ...options.budget };
  const allMs = Math.min(largestLimit, wallClockMs + 1);
  const asked = events.find((event) => event.type === 'approval.asked');
  return {
    toolMs: allMs,
    modelCallMs: allMs,
    firstTokenMs: allMs,
    betweenTokensMs: allMs,
    hookMs: allMs,
    ...(asked === undefined ? {} : { approvalMs: Math.max(0, Math.ceil(asked.untilMs - asked.wallMs)) }),
  };
}

/** A reply that was too long is again; no other is. Of two limits, the other is what was left of the budget. */
function sizesOf({ replies }: RecordedFacts): Partial<Sizes> {
  const all = [...replies.values()];
  const isTooLong = all.some((reply) => reply.type === 'reply.truncated' && reply.violation === 'too_long');
  const longest = all.map((reply) =>
    Math.max(reply.tokens.outputTokens, 'text' in reply ? countTokens(reply.text) : 0),
  );
  return { maxReplyTokens: isTooLong ? Math.ceil(Math.max(...longest) / 2) : largestLimit };
}

/** In code units: a longer text of a check is cut. */
const longestHint = 500;

/** In code units: what gave a longer one may have been cut before it was recorded. */
const largestOutput = 100_000;

/** Whether a field of a recorded event cannot be compared, as the trace lacks what it was made from. */
export function inexactIn(
  { run, options }: Replaying<InputSchema | undefined>,
  { tools: { inexact }, reading }: Pick<ReplayAgent<unknown>, 'tools' | 'reading'>,
): (event: TraceEvent, field: string) => boolean {
  return (event, field) => {
    switch (event.type) {
      case 'call.settled':
        if (JSON.stringify(event.output).length > largestOutput) return !field.startsWith('the result');
        return field.startsWith('what the model') && inexact.has(event.callId);
      case 'calls.checked': {
        const verdict = event.verdicts.find(({ callId }) => field === `the input of call ${callId}`);
        return options.tools === undefined && verdict?.coerced !== undefined;
      }
      case 'answer.rejected':
        return !hasChecks(options) && event.hint.length > longestHint;
      case 'reply.ended':
        // Calls that could not be read are not in the trace, and neither is what was made up.
        if (lacksText(event, reading))
          return field !== 'what the reply is' && !(field === 'the violation' && standIn(event, reading) !== null);
        return field === hintField && run.started.dialect === 'native' && callsIn(event).length === 0;
      default:
        return false;
    }
  };
}
