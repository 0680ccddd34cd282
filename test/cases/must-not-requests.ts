/** Codes about what was sent to the model. */
import { isDeepStrictEqual } from 'node:util';
import { above, type Code, code, n, text, when } from './code.ts';
import type { Facts, RequestSeen } from './facts.ts';
import { contentOf, conversationOf, hasParam, quote, saidIn, textOf } from './requests.ts';
import { task } from './task.ts';
import { callsIn, listOf, namesIn } from './wire.ts';

const request = n.optional();

export const requestCodes: readonly (readonly [string, Code])[] = [
  [
    'request_contains',
    code({ request, value: text }, (params, facts) =>
      found(facts, params.request, (seen) => textOf(seen).includes(params.value), `has ${quote(params.value)}`),
    ),
  ],
  [
    'request_lacks',
    code({ request, value: text }, (params, facts) =>
      found(facts, params.request, (seen) => !textOf(seen).includes(params.value), `lacks ${quote(params.value)}`),
    ),
  ],
  [
    'request_has_param',
    code({ request, param: text }, (params, facts) =>
      found(facts, params.request, (seen) => hasParam(seen, params.param), `has ${params.param}`),
    ),
  ],
  [
    'request_has_empty_message',
    code({ request }, (params, facts) => found(facts, params.request, isEmpty, 'is empty')),
  ],
  [
    'request_has_null_content',
    code({ request }, (params, facts) => found(facts, params.request, hasNull, 'has content that is null')),
  ],
  [
    'request_name_invalid',
    code({ pattern: text }, ({ pattern }, facts) =>
      found(
        facts,
        undefined,
        (seen) => wireNames(seen).some((name) => !new RegExp(pattern).test(name)),
        'has a wrong name',
      ),
    ),
  ],
  [
    'wire_names_equal',
    code({}, (_params, facts) => found(facts, undefined, (seen) => hasTwins(toolNames(seen)), 'has two equal names')),
  ],
  [
    'request_longer_than',
    code({ n, request }, (params, facts) => above(params.n, most(facts, params.request, lengthOf), 'characters')),
  ],
  [
    'request_over_tokens',
    code({ n, request }, (params, facts) =>
      above(params.n, most(facts, params.request, tokensOf), 'tokens of history'),
    ),
  ],
  [
    'gap_before_request_under_ms',
    code({ n, request: n }, (params, { requests }) => gap(requests, params.request, params.n)),
  ],
  [
    'roles_not_alternating',
    code({}, (_params, facts) => found(facts, undefined, isOutOfTurn, 'has roles out of turn')),
  ],
  ['prefix_changed_between_requests', code({}, (_params, { requests }) => changedPrefix(requests))],
  ['tool_definitions_differ_between_requests', code({}, (_params, { requests }) => changedTools(requests))],
  [
    'first_user_message_lost',
    code({}, (_params, facts) =>
      found(facts, undefined, (seen) => !contentOf(conversationOf(seen)[0]?.content).includes(task), 'lost the task'),
    ),
  ],
];

/** A request that the case names and that was never sent shows nothing, which is not the same as good. */
function found(
  { requests }: Facts,
  which: number | undefined,
  red: (request: RequestSeen) => boolean,
  words: string,
): string | null {
  if (which !== undefined && requests[which - 1] === undefined) return `there is no request ${which}`;
  const at = requests.findIndex((each, index) => (which === undefined || index === which - 1) && red(each));
  return when(at >= 0, `request ${at + 1} ${words}`);
}

function most({ requests }: Facts, which: number | undefined, size: (request: RequestSeen) => number): number {
  const meant = which === undefined ? requests : requests.slice(which - 1, which);
  return Math.max(0, ...meant.map(size));
}

function isEmpty({ messages }: RequestSeen): boolean {
  return messages.some(
    (message) => typeof message.content === 'string' && message.content.trim() === '' && callsIn(message).length === 0,
  );
}

function hasNull({ messages }: RequestSeen): boolean {
  return messages.some(({ content }) => content === null || content === undefined);
}

function lengthOf({ messages }: RequestSeen): number {
  return messages.reduce((sum, message) => sum + saidIn(message).length, 0);
}

/** Of the history alone, without the system message. Four characters are one token here. */
function tokensOf(seen: RequestSeen): number {
  const chars = conversationOf(seen).reduce((sum, message) => sum + saidIn(message).length, 0);
  return Math.ceil(chars / 4);
}

function gap(requests: readonly RequestSeen[], which: number, n: number): string | null {
  const [before, after] = [requests[which - 2], requests[which - 1]];
  if (before === undefined || after === undefined) return `there is no request ${which} behind another`;
  // A timer of Node may fire a millisecond early.
  const ms = Math.round(after.atMs - before.atMs);
  return when(ms < n - 2, `request ${which} came ${ms} ms after the one before, sooner than ${n}`);
}

/** All results of one reply's calls stand where a message of the user would. */
function isOutOfTurn(seen: RequestSeen): boolean {
  const roles = conversationOf(seen).map(({ role }) => role);
  const turns = roles.filter((role, at) => role !== 'tool' || roles[at - 1] !== 'tool');
  const said = turns.map((role, at) => (role === 'tool' && at > 0 ? 'user' : role));
  return said.some((role, at) => role !== (at % 2 === 0 ? 'user' : 'assistant'));
}

function changedPrefix(requests: readonly RequestSeen[]): string | null {
  const at = requests.findIndex((later, index) => {
    const before = requests[index - 1]?.messages ?? [];
    return !isDeepStrictEqual(later.messages.slice(0, before.length), before);
  });
  return when(at >= 0, `request ${at + 1} does not begin with the one before`);
}

/** In a text form the tools stand in the system message, on the wire in a member of their own. */
function changedTools(requests: readonly RequestSeen[]): string | null {
  const definitions = requests.map(({ messages, params }) =>
    JSON.stringify([params.tools, messages.filter(({ role }) => role === 'system')]),
  );
  const at = definitions.findIndex((each) => each !== definitions[0]);
  return when(at >= 0, `request ${at + 1} has other tools than the first`);
}

function toolNames({ params }: RequestSeen): readonly string[] {
  return namesIn(listOf(params.tools));
}

function wireNames(seen: RequestSeen): readonly string[] {
  return [...toolNames(seen), ...namesIn(seen.messages.flatMap(callsIn))];
}

function hasTwins(names: readonly string[]): boolean {
  return new Set(names).size < names.length;
}
