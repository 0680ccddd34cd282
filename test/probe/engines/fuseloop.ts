/** This library, through its public entry only: `fuseloop` is what the package exports. */
import {
  AgentError,
  type AgentOptions,
  type AnyTool,
  createAgent,
  type Model,
  type ModelEvent,
  type Outcome,
  type StandardSchema,
  tool,
} from 'fuseloop';
import type { Ending, Engine, Piece, ProbeInput, ProbeLimits, ProbeModel, ProbeTool } from '../engine.ts';

export const fuseloop: Engine = {
  name: 'fuseloop',
  async start(input, signal) {
    try {
      const outcome = await createAgent(optionsOf(input)).run('The task.', { signal });
      return endingOf(outcome);
    } catch (thrown) {
      if (thrown instanceof AgentError) return { kind: 'refused', reason: thrown.code };
      return { kind: 'thrown', reason: String(thrown) };
    }
  },
};

function endingOf(outcome: Outcome): Ending {
  if (outcome.ok) return { kind: 'answered', reason: outcome.stopReason, answer: outcome.answer };
  return { kind: 'stopped', reason: outcome.stopReason };
}

function optionsOf({ model, tools, limits = {}, checkAnswer, observe }: ProbeInput): AgentOptions {
  return {
    model: modelOf(model),
    tools: Object.fromEntries(Object.entries(tools).map(([name, each]) => [name, toolOf(each)])),
    ...limitsOf(limits),
    ...(checkAnswer === undefined ? {} : { checkAnswer: async () => (await checkAnswer()) || 'Not good enough.' }),
    ...(observe === undefined ? {} : { onEvent: () => observe() }),
  };
}

function limitsOf({
  steps,
  runMs,
  firstPieceMs,
  replyMs,
  hookMs,
}: ProbeLimits): Pick<AgentOptions, 'budget' | 'modelRetries' | 'timeouts'> {
  const boundsReply = firstPieceMs !== undefined || replyMs !== undefined;
  return {
    // What is measured is the limit of one reply, and not how often it is asked for again.
    ...(boundsReply ? { modelRetries: 0 } : {}),
    budget: given({ maxSteps: steps, wallClockMs: runMs }),
    timeouts: given({ firstTokenMs: firstPieceMs, modelCallMs: replyMs, hookMs }),
  };
}

/** Without the members that are undefined. */
function given<Table extends { readonly [name: string]: number | undefined }>(table: Table) {
  return Object.fromEntries(Object.entries(table).filter(([, value]) => value !== undefined));
}

function toolOf({ run, readOnly, timeoutMs, validate, needsApproval }: ProbeTool): AnyTool {
  return tool({
    inputSchema: validate === undefined ? { type: 'object' } : schemaOf(validate),
    execute: run,
    readOnly,
    timeoutMs,
    needsApproval,
  });
}

function schemaOf(validate: (input: unknown) => Promise<boolean>): StandardSchema {
  return {
    '~standard': {
      version: 1,
      vendor: 'probe',
      validate: async (value) => ((await validate(value)) ? { value } : { issues: [{ message: 'not good' }] }),
    },
  };
}

function modelOf(model: ProbeModel): Model {
  return { provider: 'probe', name: 'probe', generate: ({ step }) => repliesOf(model(step)) };
}

/** The stream is handed through as it is, `next` and `return` included; only the pieces are put into words. */
function repliesOf(pieces: AsyncIterable<Piece>): AsyncIterable<ModelEvent> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = pieces[Symbol.asyncIterator]();
      let ended = false;
      return {
        async next() {
          if (ended) return { done: true, value: undefined };
          const { done, value } = await iterator.next();
          if (done !== true) return { done: false, value: { type: 'text', text: wordsOf(value) } };
          ended = true;
          return { done: false, value: { type: 'end', finish: 'stop', usage: null } };
        },
        async return() {
          await iterator.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

function wordsOf(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  if ('call' in piece) return `Thought: I look.\nAction: ${piece.call}\nAction Input: ${JSON.stringify(piece.input)}\n`;
  if ('invented' in piece) return `Observation: ${piece.invented}\n`;
  return `Thought: I know.\nFinal Answer: ${piece.answer}`;
}
