/**
 * What the model is told when a call did not do what it wanted. Every text is a prompt: what happened, what is allowed,
 * what to do next.
 */

import { AgentError } from '../core/errors.ts';
import type { JsonValue } from '../core/json.ts';
import type { Language } from '../core/language.ts';
import type { Redactor } from '../core/redact.ts';
import { duration, inputText, listed, sentence } from './brief.ts';
import { chinese } from './chinese-messages.ts';
import { englishResults, type ResultMessages } from './result-messages.ts';

export interface Messages extends ResultMessages {
  unknownTool(name: string, nearest: string | null, known: readonly string[]): string;
  badInput(tool: string, problems: readonly string[], example: string | null): string;
  checkFailed(tool: string, why: string): string;
  /** Of a call that would end the run. */
  needs(tool: string, missing: readonly string[]): string;
  badAnswer(problems: readonly string[], example: string | null): string;
  answerNotChecked(why: string): string;
  answerNeeds(missing: readonly string[]): string;
  /** Of foreign code that was asked and hangs. */
  readonly noResult: string;
  /** What is wrong with a value that is nested too deeply. */
  tooDeep(levels: number): string;
  /** What is wrong with an answer that was begun as JSON. */
  readonly brokenJson: string;
  /** The check only said no. */
  readonly answerRefused: string;
  done(tool: string, callId: string): string;
  perhapsDone(tool: string, callId: string): string;
  twice(tool: string, callId: string): string;
  /** `waiting`: it stands in the same reply. */
  askAgain(callId: string, status: 'succeeded' | 'unknown' | 'waiting'): string;
  /** Stands before the result of a call whose input a person changed. */
  edited(input: JsonValue | null): string;
  callLimit(tool: string, limit: number): string;
  rateLimit(tool: string, waitMs: number): string;
  notAllowed(tool: string, allowed: readonly string[]): string;
  dryRun(tool: string, input: string): string;
  denied(tool: string, why: string, others: readonly string[]): string;
  noAnswer(tool: string, others: readonly string[]): string;
  timedOut(tool: string, limitMs: number): string;
  timedOutUnknown(tool: string, limitMs: number): string;
  interrupted(tool: string): string;
  /** The run ended before it began, and goes on now. */
  notStarted(tool: string): string;
  /** Stands behind what is told of a call that failed each time. */
  tried(times: number): string;
  /** For whatever a text quotes, before it is cut. */
  readonly redactor: Redactor;
}

const english: Omit<Messages, 'redactor'> = {
  ...englishResults,
  unknownTool: (name, nearest, known) =>
    `[ToolError] There is no tool called "${name}".${nearest === null ? '' : ` Did you mean "${nearest}"?`} ${
      known.length === 0 ? 'There are no tools: answer without one.' : `The tools are: ${listed(known)}.`
    }`,
  badInput: (tool, problems, example) =>
    `[ToolError] The input of ${tool} ${unfit(problems, example)} Write the call again with a corrected input.`,
  checkFailed: (tool, why) =>
    `[ToolError] The input of ${tool} could not be checked (${why}). It was not run. Try another tool or answer with what is known.`,
  needs: (tool, missing) => `[ToolError] ${tool} was not run: ${first(missing)}`,
  badAnswer: (problems, example) =>
    `The answer ${unfit(problems, example)} Write it again in the form that is asked for.`,
  answerNotChecked: (why) => `The answer could not be checked (${why}). Write it again.`,
  answerNeeds: (missing) => `The answer does not count yet: ${first(missing)}`,
  noResult: 'no result in time',
  tooDeep: (levels) => `it is nested deeper than ${levels} levels`,
  brokenJson: 'its JSON is cut, broken, or more than one value',
  answerRefused: 'The answer was not accepted. Check it, and write it again.',
  done: (tool, callId) =>
    `[ToolError] ${tool} was not run again: call ${callId} had the same input and succeeded. Use its result, or change the input.`,
  perhapsDone: (tool, callId) =>
    `[ToolError] ${tool} was not run again: call ${callId} had the same input, was started, and nobody knows whether it took effect. Find out with another tool, or say so in the answer.`,
  twice: (tool, callId) =>
    `[ToolError] ${tool} was run once: call ${callId} of the same reply has the same input. Use its result, or change the input.`,
  askAgain: (callId, status) =>
    `Repeats call ${callId}, ${
      { succeeded: 'which succeeded', unknown: 'whose outcome is unknown', waiting: 'of the same reply' }[status]
    }.`,
  edited: (input) => `(A person changed the input to ${inputText(input)}.)`,
  callLimit: (tool, limit) =>
    `[ToolError] ${tool} was not run: it may be called ${limit === 1 ? 'once' : `${limit} times`} in a run, and was. Go on with what is known, or use another tool.`,
  rateLimit: (tool, waitMs) =>
    `[ToolError] ${tool} was not run: it is called too often. It could run again in ${duration(waitMs)}, which is more than is left. Go on without it, or answer with what is known.`,
  notAllowed: (tool, allowed) =>
    `[ToolError] ${tool} was not run: only tools that read are allowed here. ${
      allowed.length === 0 ? 'There is none: answer without tools.' : `Allowed: ${listed(allowed)}.`
    }`,
  dryRun: (tool, input) =>
    `(Dry run: ${tool} would now have been run with the input ${input}. Nothing was done; go on as if it had succeeded.)`,
  denied: (tool, why, others) =>
    `[ToolError] ${tool} was not allowed to run and was not executed${why === '' ? '' : `: ${why}`}. Go on without it, or ask for something else.${otherTools(others)}`,
  noAnswer: (tool, others) =>
    `[ToolError] Nobody decided about ${tool} in time. It was not run. Go on without it.${otherTools(others)}`,
  timedOut: (tool, limitMs) =>
    `[ToolError] ${tool} timed out: no result within ${duration(limitMs)}. Ask for less, or try another tool.`,
  timedOutUnknown: (tool, limitMs) =>
    `[ToolError] ${tool} timed out: no result within ${duration(limitMs)}. It may have taken effect; nobody knows. It will not be run again with this input. Find out with another tool, or say so in the answer.`,
  interrupted: (tool) =>
    `[ToolError] ${tool} had been started when the run was interrupted, and nobody knows whether it took effect. It will not be run again with this input. Find out with another tool, or say so in the answer.`,
  notStarted: (tool) =>
    `[ToolError] ${tool} was not run: the run stopped before it began. Call it again if it is still wanted.`,
  tried: (times) => ` (It was tried ${times === 1 ? 'once' : `${times} times`}.)`,
};

function otherTools(names: readonly string[]): string {
  return names.length === 0 ? '' : ` Other tools: ${listed(names)}.`;
}

function unfit(problems: readonly string[], example: string | null): string {
  return `cannot be used: ${sentence(problems.join('; '))}${example === null ? '' : ` Expected: ${example}.`}`;
}

function first(missing: readonly string[]): string {
  return `${listed(missing)} must succeed before. Call ${missing[0]} first.`;
}

/** Throws AgentError (`invalid_option`) where the texts of the language are not part of the bundle. */
export function messagesIn(language: Language, redactor: Redactor): Messages {
  const words = language === 'en' ? english : chinese;
  if (words !== null) return { ...english, ...words, redactor, values: { ...words.values, redact: redactor.text } };
  throw new AgentError('invalid_option', 'language is "zh", and the Chinese texts are not part of this bundle.', {
    hint: 'Bundle with the condition "fuseloop-chinese". In Node they are always part of fuseloop.',
  });
}
