/**
 * What a demonstration is, and the pace at which its scripted model writes. No network and no key are needed: the loop,
 * the tools and the trace are real, only the replies are written beforehand.
 */
import type { Clock } from '../../core/clock.ts';
import type { Model, ModelRequest } from '../../core/model.ts';
import type { ToolRecord } from '../../core/tool.ts';
import { type ScriptEntry, type ScriptedReply, scriptedModel } from '../../models/scripted.ts';

export interface Demo {
  readonly name: string;
  readonly task: string;
  readonly tools: ToolRecord;
  /** A fresh model, good for one run, which writes in the `labelled` dialect. */
  model(clock: Clock): Model;
}

/** About 600 characters a second: slow enough to be seen streaming, fast enough for 12 steps in 8 seconds. */
const chunkChars = 8;
const betweenMs = 12;
const firstChunkMs = 100;

/** The reply of each step is the one of its number, so that a run can go on in another process. */
export function demoModel(name: string, replies: readonly ScriptEntry[], clock: Clock): Model {
  const paced = replies.map((entry) =>
    typeof entry === 'function' ? (request: ModelRequest) => pace(entry(request)) : pace(entry),
  );
  const script = { name, chunkSize: chunkChars, clock };
  return {
    provider: 'scripted',
    name,
    generate: (request) => scriptedModel(paced.slice(request.step - 1), script).generate(request),
  };
}

function pace(reply: string | ScriptedReply): ScriptedReply {
  return { delayMs: firstChunkMs, betweenMs, ...(typeof reply === 'string' ? { text: reply } : reply) };
}

/** One step in the `labelled` dialect. */
export function stepText(thought: string, tool: string, input: Readonly<Record<string, string | number>>): string {
  return `Thought: ${thought}\nAction: ${tool}\nAction Input: ${JSON.stringify(input)}`;
}

export function answerText(thought: string, answer: string): string {
  return `Thought: ${thought}\nFinal Answer: ${answer}`;
}

/** What the loop told the model last, without the label of an observation. */
export function lastObservation(request: ModelRequest): string {
  return (request.messages.at(-1)?.content ?? '').replace(/^\s*(?:Observation|观察)[^:：\n]{0,80}[:：]/i, '').trim();
}
