/** What an answer must pass before it counts, read once when the agent is made. */
import type { AgentOptions } from '../agent-options.ts';
import type { CheckAnswer } from '../core/check-answer.ts';
import { AgentError } from '../core/errors.ts';
import type { Policy } from '../core/policy.ts';
import type { InferAnswer, InputSchema } from '../core/schema.ts';
import type { CallStatus, Snapshot } from '../core/snapshot.ts';
import { allowance } from '../dispatch/policy.ts';
import { type CompiledSchema, compileSchema } from '../dispatch/schema.ts';
import type { Toolbox } from '../dispatch/toolbox.ts';

/** `Answer` is what the schema makes of a text, or the text itself without one. */
export interface AnswerRules<Answer> {
  /** Tools that must have succeeded before. */
  readonly tools: readonly string[];
  readonly schema: CompiledSchema | null;
  readonly checks: readonly CheckAnswer<Answer>[];
}

type Given<Schema extends InputSchema | undefined> = Pick<
  AgentOptions<Schema>,
  'answerSchema' | 'requireTools' | 'checkAnswer'
>;

/** Throws AgentError that names the option and says what is allowed. */
export function readAnswerRules<Schema extends InputSchema | undefined>(
  { answerSchema, requireTools, checkAnswer }: Given<Schema>,
  toolbox: Toolbox,
  policy: Policy | null,
): AnswerRules<InferAnswer<Schema>> {
  const checks = checkAnswer === undefined ? [] : [checkAnswer].flat();
  if (!checks.every((check) => typeof check === 'function'))
    throw refused('checkAnswer is no function.', 'It is a function, or a list of functions.');
  if (answerSchema === undefined) return { tools: readTools(requireTools, toolbox, policy), schema: null, checks };
  const ends = [...toolbox.values()].find(({ endsRun }) => endsRun);
  if (ends !== undefined)
    throw refused(
      `answerSchema is given, and the tool ${JSON.stringify(ends.name)} ends the run: what it gives would be the answer, and is not checked by answerSchema.`,
      'Leave out answerSchema, or the mark endsRun and have the model write the answer.',
    );
  const schema = compileSchema('answerSchema', answerSchema);
  return { tools: readTools(requireTools, toolbox, policy), schema, checks };
}

function readTools(given: unknown, toolbox: Toolbox, policy: Policy | null): readonly string[] {
  if (given === undefined) return [];
  const names: unknown[] = Array.isArray(given) ? [...given] : [given];
  const tools = names.map((name) => {
    const tool = typeof name === 'string' ? toolbox.get(name) : undefined;
    if (tool === undefined || !Array.isArray(given))
      throw refused(
        `requireTools ${Array.isArray(given) ? `names ${JSON.stringify(name)}, which is no tool` : 'is no list'}.`,
        `It is a list of names. The tools are: ${[...toolbox.keys()].join(', ') || 'none'}.`,
      );
    if (allowance(policy, tool) === 'deny')
      throw refused(
        `requireTools names ${JSON.stringify(name)}, which the policy 'readOnly' never lets run.`,
        'No answer would ever count: change one of them.',
      );
    return tool;
  });
  if (new Set(tools.filter(({ endsRun }) => endsRun)).size > 1)
    throw refused(
      'requireTools names more than one tool that ends the run.',
      'Each would wait for the other: name one of them.',
    );
  return tools.map(({ name }) => name);
}

/** A call that would end the run was let through by an agent that took its output for the answer. */
export function checkAnswerOf({ context }: Snapshot, { schema }: Pick<AnswerRules<unknown>, 'schema'>): void {
  const ending = context.calls.find(({ endsRun, status }) => endsRun && isOpen.has(status));
  if (schema !== null && ending !== undefined)
    throw new AgentError('invalid_option', `The snapshot holds a call of ${ending.tool}, which ends the run.`, {
      hint: 'Its output would be the answer: resume it with an agent without answerSchema.',
    });
}

const isOpen: ReadonlySet<CallStatus> = new Set(['ready', 'asking', 'started', 'succeeded']);

function refused(message: string, hint: string): AgentError {
  return new AgentError('invalid_option', message, { hint });
}
