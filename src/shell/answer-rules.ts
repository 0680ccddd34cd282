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
  const ends = [...toolbox.values()].find(({ endsRun }) => endsRun);
  if (answerSchema !== undefined && ends !== undefined)
    throw refused(
      `The tool ${JSON.stringify(ends.name)} ends the run: its output would be the answer, and answerSchema would not check it.`,
      'Leave out answerSchema, or the mark endsRun.',
    );
  return {
    tools: readTools(requireTools, toolbox, policy),
    schema: answerSchema === undefined ? null : compileSchema('answerSchema', answerSchema),
    checks,
  };
}

function readTools(given: unknown, toolbox: Toolbox, policy: Policy | null): readonly string[] {
  const names: readonly unknown[] = given === undefined ? [] : Array.isArray(given) ? [...given] : [null];
  if (!names.every((name) => typeof name === 'string'))
    throw refused('requireTools is no list of texts.', "It is a list of names of tools, such as ['save'].");
  const tools = [...new Set(names)].map((name) => {
    const tool = toolbox.get(name);
    if (tool === undefined)
      throw refused(
        `requireTools holds ${JSON.stringify(name)}, which is no tool.`,
        `The tools are: ${[...toolbox.keys()].join(', ') || 'no tools'}.`,
      );
    if (allowance(policy, tool) === 'deny')
      throw refused(
        `requireTools holds ${JSON.stringify(name)}, which the policy does not let run.`,
        'Leave it out, or change the policy.',
      );
    return tool;
  });
  const ends = tools.filter(({ endsRun }) => endsRun).map(({ name }) => name);
  if (ends.length > 1)
    throw refused(`Each of ${ends.join(' and ')} ends the run.`, 'requireTools can hold one of them.');
  return tools.map(({ name }) => name);
}

/** A call that would end the run was let through by an agent that took its output for the answer. */
export function checkEndingCall({ context }: Snapshot, { schema }: Pick<AnswerRules<unknown>, 'schema'>): void {
  const ending = context.calls.find(({ endsRun, status }) => endsRun && isOpen.has(status));
  if (schema !== null && ending !== undefined)
    throw refused(
      `The snapshot holds a call of ${ending.tool}, which ends the run.`,
      'Its output would be the answer: resume it with an agent without answerSchema.',
    );
}

const isOpen: ReadonlySet<CallStatus> = new Set(['ready', 'asking', 'started', 'succeeded']);

function refused(message: string, hint: string): AgentError {
  return new AgentError('invalid_option', message, { hint });
}
