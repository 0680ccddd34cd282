/**
 * Turns of the protocol `native` in a text form: one JSON object with `content` and `toolCalls`, so that several calls can
 * stand in one reply. Content without calls is the answer. A dialect like one that a user may bring.
 */

import { z } from 'zod';
import type { Dialect, JsonValue, ReadCall, Reading, Scanner } from '../../src/index.ts';

const turn = z.object({
  content: z.string().nullable(),
  toolCalls: z.array(z.object({ id: z.string().optional(), name: z.string(), arguments: z.string() })),
});

export function writeTurn(words: z.infer<typeof turn>): string {
  return JSON.stringify(words);
}

/** Remembers in `written` which results each message carries: in the text alone their borders are not to be seen. */
export function severalCalls(written: Map<string, readonly string[]>): Dialect {
  return {
    name: 'several-calls',
    serverStops: [],
    instructions: ({ tools }) => `Tools: ${tools.map(({ name }) => name).join(', ')}`,
    scanner,
    writeObservation(results) {
      const message = results.map(({ tool, text }) => `Result${tool === '' ? '' : ` of ${tool}`}: ${text}`).join('\n');
      written.set(
        message,
        results.map(({ text }) => text),
      );
      return message;
    },
  };
}

function scanner(): Scanner {
  let text = '';
  return {
    feed(chunk) {
      text += chunk;
      return [];
    },
    end() {
      const reading = readTurn(text);
      if (reading.kind === 'violation') return { marks: [], reading };
      return { marks: [{ stop: reading.kind === 'calls' ? 'action' : 'answer', thought: null, calls: [] }], reading };
    },
    kept: () => text,
  };
}

function readTurn(text: string): Reading {
  const read = turn.safeParse(parsed(text));
  const { content, toolCalls } = read.success ? read.data : { content: null, toolCalls: [] };
  if (toolCalls.length > 0) return { kind: 'calls', thought: content, calls: toolCalls.map(callOf) };
  if (content !== null && content.trim() !== '') return { kind: 'answer', thought: null, answer: content };
  return { kind: 'violation', thought: null, code: 'empty', hint: 'Your reply was empty. Call a tool, or answer.' };
}

function callOf(call: { readonly name: string; readonly arguments: string }): ReadCall {
  const input = parsed(call.arguments);
  return { tool: call.name, input: input === undefined ? call.arguments : input };
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
