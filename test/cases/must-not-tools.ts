/** Codes about tools: what was called, what the model was told of it, and that calls and results belong together. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { above, type Code, code, n, text, when } from './code.ts';
import { observationsOf } from './expect.ts';
import type { Facts, RequestSeen, StepCallSeen } from './facts.ts';
import type { Case } from './format.ts';
import { callIdsOf, wordsOf } from './replies.ts';
import { conversationOf, quote } from './requests.ts';
import { callIdsIn, resultIdOf } from './wire.ts';

type Messages = RequestSeen['messages'];

export const toolCodes: readonly (readonly [string, Code])[] = [
  ['observation_contains', code({ value: text }, ({ value }, facts) => observationWith(facts, value))],
  [
    'observation_equals',
    code({ value: text }, ({ value }, facts) =>
      when(
        observationsOf(facts).some((seen) => seen.trim() === value.trim()),
        `an observation is ${quote(value)}`,
      ),
    ),
  ],
  [
    'observation_longer_than',
    code({ n }, (params, facts) =>
      above(params.n, Math.max(0, ...observationsOf(facts).map(({ length }) => length)), 'characters'),
    ),
  ],
  [
    'tool_called',
    code({ tool: text }, ({ tool }, { calls }) =>
      when(
        calls.some((call) => call.tool === tool),
        tool,
      ),
    ),
  ],
  [
    'tool_called_with',
    code({ tool: text.optional(), match: z.unknown() }, ({ tool, match }, facts) => calledWith(facts, tool, match)),
  ],
  [
    'tool_calls_more_than',
    code({ n, tool: text.optional() }, (params, { calls }) =>
      above(params.n, calls.filter(({ tool }) => [undefined, tool].includes(params.tool)).length, 'calls'),
    ),
  ],
  ['wrong_tool_called', code({ tool: text.optional() }, ({ tool }, facts, one) => wrongTool(facts, one, tool))],
  ['unknown_tool_reported', code({ value: text.optional() }, ({ value }, facts) => reportedUnknown(facts, value))],
  ['call_without_result', code({ call: text.optional() }, ({ call }, facts, one) => unanswered(facts, one, call))],
  ['result_without_call', code({}, (_params, facts) => orphan(facts))],
  ['result_sent_twice', code({ call: text.optional() }, ({ call }, facts, one) => sentTwice(facts, one, call))],
  [
    'result_status',
    code({ call: text, value: text }, ({ call, value }, facts, one) =>
      when(
        callsNamed(facts, one, call).some(({ status }) => status === (statusNames.get(value) ?? value)),
        `the call ${call} has the status ${value}`,
      ),
    ),
  ],
  ['silent_overwrite', code({}, (_params, facts, one) => overwritten(facts, one))],
];

const statusNames: ReadonlyMap<string, string> = new Map([
  ['success', 'succeeded'],
  ['ok', 'succeeded'],
  ['error', 'failed'],
  ['failure', 'failed'],
  ['rejected', 'refused'],
]);

function observationWith(facts: Facts, value: string): string | null {
  const found = observationsOf(facts).find((seen) => seen.toLowerCase().includes(value.toLowerCase()));
  return when(found !== undefined, `an observation is ${quote(found ?? '')}`);
}

function calledWith({ calls }: Facts, tool: string | undefined, match: unknown): string | null {
  const found = calls.find((call) => (tool === undefined || call.tool === tool) && holds(call.input, match));
  return when(found !== undefined, `it was called with ${JSON.stringify(found?.input)}`);
}

/** A part is enough, but nothing is a part of everything: an empty object is an empty input. */
function holds(value: unknown, part: unknown): boolean {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return isDeepStrictEqual(value, part);
  if (typeof value !== 'object' || value === null) return false;
  const members = new Map<string, unknown>(Object.entries(value));
  const wanted = Object.entries(part);
  if (wanted.length === 0) return members.size === 0;
  return wanted.every(([name, inner]) => members.has(name) && holds(members.get(name), inner));
}

/** What ran was not asked for by name, or not by that of the tool that the registry has under it. */
function wrongTool({ calls }: Facts, one: Case, tool: string | undefined): string | null {
  const words = wordsOf(one);
  const wrong = calls.find((call) => (tool === undefined ? !words.includes(call.tool) : call.tool === tool));
  return when(wrong !== undefined, `${wrong?.tool} ran`);
}

function reportedUnknown(facts: Facts, value = ''): string | null {
  const found = observationsOf(facts).find(
    (seen) => /no tool|unknown tool|not a tool|没有名为/i.test(seen) && seen.includes(value),
  );
  return when(found !== undefined, quote(found ?? ''));
}

function callsNamed({ ending }: Facts, one: Case, call: string | undefined): readonly StepCallSeen[] {
  const id = call === undefined ? null : (callIdsOf(one).get(call) ?? call);
  return ending.stepCalls.filter(({ toolCallId }) => id === null || toolCallId === id);
}

/** Every call of a step that was followed by a request has its result in it. */
function unanswered(facts: Facts, one: Case, call: string | undefined): string | null {
  const told = facts.results.flat();
  const lost = callsNamed(facts, one, call).find(
    ({ step, observation }) =>
      step < facts.modelCalls && (observation === null || !told.some((text) => text.startsWith(observation))),
  );
  if (lost !== undefined) return `the call ${lost.toolCallId} of ${lost.tool} has no result in what the model got`;
  const id = facts.requests.flatMap(({ messages }) => unansweredOnWire(messages))[0];
  return when(id !== undefined, `the call ${String(id)} in a request has no result behind it`);
}

/** The provider wants the results of all calls before anything else is said. */
function unansweredOnWire(messages: Messages): readonly unknown[] {
  return messages.flatMap((message, at) => {
    const answered = resultsBehind(messages, at);
    return callIdsIn(message).filter((id) => !answered.includes(id));
  });
}

function resultsBehind(messages: Messages, at: number): readonly unknown[] {
  const behind = messages.slice(at + 1);
  const end = behind.findIndex(({ role }) => role !== 'tool');
  return behind.slice(0, end < 0 ? behind.length : end).map(resultIdOf);
}

/** A result stands behind the reply that asked for it. */
function orphan({ requests }: Facts): string | null {
  for (const request of requests) {
    const found = orphanIn(conversationOf(request));
    if (found >= 0) return `message ${found} of a request is a result behind no call`;
  }
  return null;
}

function orphanIn(messages: Messages): number {
  let asked: readonly unknown[] = [];
  return messages.findIndex((message, at) => {
    if (message.role === 'assistant') asked = callIdsIn(message);
    if (message.role === 'tool') return !asked.includes(resultIdOf(message));
    return at > 0 && message.role !== 'assistant' && messages[at - 1]?.role !== 'assistant';
  });
}

function sentTwice(facts: Facts, one: Case, call: string | undefined): string | null {
  for (const { observation, toolCallId } of callsNamed(facts, one, call)) {
    const calls = facts.ending.stepCalls.filter((each) => each.observation === observation).length;
    const most = Math.max(0, ...facts.results.map((told) => told.filter((text) => text === observation).length));
    if (observation !== null && most > calls) return `the result of ${toolCallId} stands ${most} times in a request`;
  }
  for (const { messages } of facts.requests) {
    const ids = messages.map(resultIdOf).filter((id) => id !== undefined);
    const twice = ids.find((id, at) => ids.indexOf(id) < at);
    if (twice !== undefined) return `the result of ${String(twice)} stands twice in a request`;
  }
  return null;
}

/** Two tools of one name, and nobody was told. */
function overwritten({ ending }: Facts, { given }: Case): string | null {
  const names = given.tools.map(({ name }) => name);
  const twin = names.find((name, at) => names.indexOf(name) < at);
  return when(twin !== undefined && ending.phase !== 'setup', `${twin} was registered twice without an error`);
}
