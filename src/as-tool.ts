/**
 * An agent as a tool of another one. It takes part in the run that called it: its budget is a share of what is left there,
 * what it spends is spent there, its events stand in that trace, and it ends when the call does.
 */
import type { StartOptions } from './agent-options.ts';
import { AgentError, ToolError } from './core/errors.ts';
import { checkKnown } from './core/known-options.ts';
import type { Budget } from './core/limits.ts';
import type { Outcome } from './core/outcome.ts';
import { type Left, parentRun, type Tool, type ToolCallOptions, type ToolMarks } from './core/tool.ts';
import type { Spent, Usage } from './core/usage.ts';
import type { Starts } from './logic.ts';
import type { RunPlan } from './shell/plan.ts';

export interface AsToolOptions extends Omit<ToolMarks, 'endsRun'> {
  /** For the model: what the agent finds out or does, and when to ask it. */
  readonly description: string;
  /**
   * How much of what is left of the run's budget one call may spend: more than 0, at most 1; default 0.5. Of steps, tokens,
   * running time and tool calls, each rounded down, and never more than the agent's own budget.
   */
  readonly share?: number;
  /** Asks a person before the agent starts. Its own calls are not asked about: there is nobody in it to ask. */
  readonly needsApproval?: boolean;
}

const inputSchema = Object.freeze({
  type: 'object',
  properties: {
    task: { type: 'string', description: 'What to do, with all that has to be known: nothing else is seen.' },
  },
  required: ['task'],
  additionalProperties: false,
});

export type AgentTool<Answer> = Tool<{ readonly task: string }, Answer> & { readonly inputSchema: typeof inputSchema };

const known = [
  ...['description', 'share', 'needsApproval', 'readOnly', 'sideEffect', 'idempotent', 'timeoutMs', 'retries'],
  ...['maxCallsPerRun', 'rateLimit'],
];

interface OwnParts extends Pick<RunPlan, 'toolbox' | 'policy'> {
  readonly budget: Budget;
}

/** Throws AgentError (`invalid_option`) for what is no option, or cannot be used as one. */
export function asTool<Answer>(
  { start }: Pick<Starts<Answer>, 'start'>,
  agent: OwnParts,
  options: AsToolOptions,
): AgentTool<Answer> {
  checkKnown('asTool', options, known);
  const { share = 0.5, ...given } = options;
  if (!(typeof share === 'number' && share > 0 && share <= 1))
    throw new AgentError('invalid_option', `share is ${String(share)}.`, { hint: 'It is more than 0 and at most 1.' });
  if (typeof given.description !== 'string' || given.description.trim() === '')
    throw new AgentError('invalid_option', 'description is missing.', { hint: 'It tells the model when to ask.' });
  if (given.readOnly === true) checkReads(agent);
  const own = agent.budget;
  return {
    // The agent ends by itself before that.
    timeoutMs: own.wallClockMs + 1_000,
    ...given,
    inputSchema,
    execute({ task }, call) {
      const parent = call[parentRun];
      const budget = parent === undefined ? {} : shareOf(parent.left(), share, own);
      // It belongs to the run that calls it, and is stored with that one.
      const how = { held: false, observer: parent?.record ?? null, openJournal: null };
      const run = start(task, optionsOf(call, budget), how);
      const over = parent?.lend(budget, () => spentIn(run.usage()));
      return run.outcome.then((outcome) => {
        over?.();
        return answerOf(outcome);
      });
    },
  };
}

/** A mark that is wrong would run its effects again: after a crash a read does. */
function checkReads({ toolbox, policy }: OwnParts): void {
  const other = [...toolbox.values()].find(({ effect }) => effect !== 'readOnly');
  if (other !== undefined && policy !== 'readOnly')
    throw new AgentError('invalid_option', `readOnly is true, and ${other.name} of that agent is not readOnly.`, {
      hint: "Leave the mark out, mark the tool if it only reads, or make the agent with policy: 'readOnly'.",
    });
}

function spentIn({ steps, toolCalls, inputTokens, outputTokens, estimated }: Usage): Spent {
  return { steps, toolCalls, tokens: { inputTokens, outputTokens, estimated } };
}

function optionsOf(call: ToolCallOptions, budget: Partial<Budget>): StartOptions {
  const { idempotencyKey, attempt, abortSignal, context } = call;
  // Tries of a call are runs of their own, and so are the effects in them.
  const runId = attempt === 1 ? idempotencyKey : `${idempotencyKey}#${attempt}`;
  return { runId, signal: abortSignal, context, budget };
}

function shareOf(left: Left, share: number, own: Budget): Left {
  const part = (name: keyof Left) => Math.max(0, Math.min(own[name], Math.floor(left[name] * share)));
  return {
    maxSteps: part('maxSteps'),
    maxTokens: part('maxTokens'),
    maxToolCalls: part('maxToolCalls'),
    wallClockMs: part('wallClockMs'),
  };
}

/** Throws what the model is told where there is no answer; with effects of which nobody knows, nobody knows of this one. */
function answerOf<Answer>(outcome: Outcome<Answer>): Answer {
  if (outcome.ok) return outcome.answer;
  const { stopReason, partial, error, usage, unknown } = outcome;
  const why = error === undefined ? '' : ` (${error.message})`;
  const soFar = partial === null ? '' : ` So far: ${partial}`;
  throw new ToolError(`The agent gave no answer: ${stopReason} after ${usage.steps} steps${why}.${soFar}`, {
    ...(stopReason === 'suspended' ? { hint: 'It wants to do something that only a person may allow.' } : {}),
    unknown: unknown.length > 0,
  });
}
