/**
 * A dialect for simulations alone: one JSON document a reply, `{"calls": […]}` or `{"answer": "…"}`. No model writes it;
 * it is there so that replies with several calls reach the loop, which no text dialect gives.
 */
import { isJsonObject, type JsonValue } from '../core/json.ts';
import type { Mark, ReadCall, Reading } from '../core/reading.ts';
import type { ShippedDialect } from '../protocol/dialect.ts';
import type { Form } from '../protocol/form.ts';

const form: Form = {
  rule: { en: 'Reply with one JSON document.', zh: '只回复一个 JSON 文档。' },
  call: (_thought, tool, input) => JSON.stringify({ calls: [{ tool, input }] }),
  answer: (_thought, answer) => JSON.stringify({ answer }),
};

export const severalDialect: ShippedDialect = {
  name: 'several',
  form,
  serverStops: [],
  instructions: () => 'Reply with one JSON document.',
  scanner() {
    let text = '';
    return {
      feed(chunk) {
        text += chunk;
        return [];
      },
      end() {
        const reading = read(text);
        return { reading, marks: marksOf(reading) };
      },
      kept: () => text,
    };
  },
  writeObservation: (results) => results.map(({ tool, text }) => `${tool}: ${text}`).join('\n') || 'Nothing came back.',
};

function marksOf(reading: Reading): readonly Mark[] {
  if (reading.kind === 'violation') return [];
  return [{ stop: reading.kind === 'calls' ? 'action' : 'answer', thought: null, calls: [] }];
}

function read(text: string): Reading {
  const document = parsed(text);
  const { calls, answer } = isJsonObject(document) ? document : { calls: null, answer: null };
  const read = Array.isArray(calls) ? calls.flatMap(callIn) : [];
  if (read.length > 0) return { kind: 'calls', thought: null, calls: read };
  if (typeof answer === 'string' && answer.trim() !== '') return { kind: 'answer', thought: null, answer };
  return { kind: 'violation', thought: null, code: 'no_step', hint: 'Reply with one JSON document.' };
}

function callIn(value: JsonValue): readonly ReadCall[] {
  if (!isJsonObject(value) || typeof value.tool !== 'string') return [];
  return [{ tool: value.tool, input: value.input ?? null }];
}

function parsed(text: string): JsonValue {
  try {
    const document: JsonValue = JSON.parse(text);
    return document;
  } catch {
    return null;
  }
}
