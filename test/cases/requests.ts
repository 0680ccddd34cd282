/** What a request to the model held, and whether that is what a case wants of it. */

import type { RequestSeen } from './facts.ts';
import type { RequestCheck } from './format.ts';
import { callsIn } from './wire.ts';

/** What is wrong with a request, in words. */
export function requestProblems(wanted: RequestCheck, request: RequestSeen): readonly string[] {
  const said = textOf(request);
  const roles = request.messages.map(({ role }) => role);
  return [
    ...listed(wanted.hasParam)
      .filter((name) => !hasParam(request, name))
      .map((name) => `has no ${name}`),
    ...listed(wanted.lacksParam)
      .filter((name) => hasParam(request, name))
      .map((name) => `has ${name}`),
    ...listed(wanted.contains)
      .filter((part) => !said.includes(part))
      .map((part) => `does not say ${quote(part)}`),
    ...listed(wanted.lacks)
      .filter((part) => said.includes(part))
      .map((part) => `says ${quote(part)}`),
    ...(wanted.messages === undefined || wanted.messages === roles.length ? [] : [`has ${roles.length} messages`]),
    ...(wanted.roles === undefined || wanted.roles.join() === roles.join() ? [] : [`has the roles ${roles.join()}`]),
  ];
}

/** All that it says, message by message. */
export function textOf({ messages }: RequestSeen): string {
  return messages.map(saidIn).join('\n');
}

/** Of one message: its text, and its calls as they are sent. */
export function saidIn(message: RequestSeen['messages'][number]): string {
  const calls = callsIn(message).map((call) => JSON.stringify(call));
  return [contentOf(message.content), ...calls].join('\n');
}

export function contentOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
}

/** `stream_options.include_usage` is a member of a member. */
export function hasParam({ params }: RequestSeen, path: string): boolean {
  let value: unknown = params;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
    value = new Map(Object.entries(value)).get(name);
  }
  return value !== undefined;
}

/** The messages of the loop itself: without the system message, and from the task on. */
export function conversationOf({ messages }: RequestSeen): RequestSeen['messages'] {
  return messages.filter(({ role }) => role !== 'system');
}

/** At most 120 characters of a text, in quotes. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}

function listed(texts: string | readonly string[] | undefined): readonly string[] {
  if (texts === undefined) return [];
  return typeof texts === 'string' ? [texts] : texts;
}
