/** Copies for foreign code that nobody can write into: what a tool is shown is what the next request is made from. */
import type { Message } from '../core/model.ts';

/** Gives the messages as they are so far. Each is copied once. */
export function frozenCopies(messages: readonly Message[]): () => readonly Message[] {
  let copies: readonly Message[] = [];
  return () => {
    if (copies.length < messages.length)
      copies = Object.freeze([...copies, ...messages.slice(copies.length).map(frozenMessage)]);
    return copies;
  };
}

function frozenMessage(message: Message): Message {
  return message.role === 'assistant' ? frozen(message) : Object.freeze({ ...message });
}

/** A copy of plain data. */
function frozen<Value>(value: Value): Value;
function frozen(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(frozen));
  if (typeof value !== 'object' || value === null) return value;
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, frozen(inside)])));
}
