/** What the tests of models ask with, and how they read what comes back. */
import type { ModelEvent, ModelRequest } from '../../src/core/model.ts';

export function requestOf(given: Partial<ModelRequest> = {}): ModelRequest {
  return Object.freeze({
    messages: Object.freeze([Object.freeze({ role: 'user' as const, content: 'Why do orders fail?' })]),
    stop: Object.freeze(['Observation:']),
    maxOutputTokens: 100,
    temperature: 0,
    step: 1,
    attempt: 1,
    signal: new AbortController().signal,
    ...given,
  });
}

export async function collect(events: AsyncIterable<ModelEvent>): Promise<readonly ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export function textOf(events: readonly ModelEvent[], type: 'text' | 'reasoning' = 'text'): string {
  return events.map((event) => (event.type === type ? event.text : '')).join('');
}

/** Pieces that share an index, put together. */
export function callsOf(events: readonly ModelEvent[]): readonly { readonly tool: string; readonly input: string }[] {
  const calls = new Map<number | null, { tool: string; input: string }>();
  for (const event of events) {
    if (event.type !== 'call') continue;
    const { tool, input } = calls.get(event.index) ?? { tool: '', input: '' };
    calls.set(event.index, { tool: tool + event.tool, input: input + event.input });
  }
  return [...calls.values()];
}

export function lastOf(events: readonly ModelEvent[]): ModelEvent | undefined {
  return events.at(-1);
}

/** An iterator whose `return` is known to be there. */
export function open(events: AsyncIterable<ModelEvent>) {
  const iterator = events[Symbol.asyncIterator]();
  return {
    next: () => iterator.next(),
    leave: async () => {
      if (iterator.return === undefined) throw new Error('The reply cannot be left: it has no return().');
      return iterator.return();
    },
  };
}

/** Reads until `length` characters of text have come. */
export async function readText(reply: ReturnType<typeof open>, length: number): Promise<string> {
  let text = '';
  while (text.length < length) {
    const { value, done } = await reply.next();
    if (done) throw new Error(`The reply ended after ${JSON.stringify(text)}.`);
    if (value.type === 'text') text += value.text;
    else if (value.type !== 'reasoning') throw new Error(`The reply has ${value.type} after ${JSON.stringify(text)}.`);
  }
  return text;
}
