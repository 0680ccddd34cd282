/** Whether messages are a conversation that a model may be sent: turns alternate, and each call has its result. Pure. */
import type { Message } from '../core/model.ts';

/** What is wrong with the messages from the task on, without the system message; null where nothing is. */
export function conversationProblem(messages: readonly Message[]): string | null {
  const said = messages[0]?.role === 'system' ? messages.slice(1) : messages;
  const turns = said.filter(({ role }, at) => role !== 'tool' || said[at - 1]?.role !== 'tool');
  const odd = turns.findIndex(({ role }, index) => (role === 'assistant') !== (index % 2 === 1) || role === 'system');
  if (odd !== -1 || turns.length % 2 === 0 || turns[0]?.role !== 'user')
    return 'is not a conversation in which user and assistant take turns, and the last is the user';
  return resultProblem(said);
}

/** Providers refuse a call without its result behind it, and a result without its call before it. */
function resultProblem(said: readonly Message[]): string | null {
  const known = new Set<string>();
  for (const [at, message] of said.entries()) {
    const asked = idsOfCalls(message);
    const twice = asked.find((id, index) => known.has(id) || asked.indexOf(id) < index);
    if (twice !== undefined) return `has two calls of the id ${twice}`;
    for (const id of asked) known.add(id);
    if (message.role !== 'assistant') continue;
    const answered = idsOfResults(said, at + 1);
    if (asked.length !== answered.length || asked.some((id, index) => id !== answered[index]))
      return `has the calls ${list(asked)} and behind them the results of ${list(answered)}`;
  }
  return null;
}

function idsOfCalls(message: Message): readonly string[] {
  return message.role === 'assistant' ? (message.calls ?? []).map(({ toolCallId }) => toolCallId) : [];
}

function idsOfResults(said: readonly Message[], from: number): readonly string[] {
  const ids: string[] = [];
  for (let at = from; at < said.length; at++) {
    const message = said[at];
    if (message?.role !== 'tool') break;
    ids.push(message.toolCallId);
  }
  return ids;
}

function list(ids: readonly string[]): string {
  return ids.length === 0 ? 'none' : ids.join(', ');
}
