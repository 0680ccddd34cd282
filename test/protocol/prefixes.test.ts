/**
 * A reply that is cut anywhere is never read as more than what was written: no key, no value and no answer that the whole
 * reply does not hold.
 */
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/core/json.ts';
import type { Reading } from '../../src/core/reading.ts';
import { dialectNamed } from '../../src/protocol/read.ts';
import { scan } from './scan.ts';

const options = { tools: ['search', 'list', 'rm'], language: 'en' } as const;
const read = (dialect: string, reply: string): Reading => scan(dialectNamed(dialect), [reply], options).reading;

const words = fc
  .array(
    fc.constantFrom(
      'tide',
      ' ',
      '"',
      '{',
      '}',
      '\\',
      '\n',
      ':',
      ',',
      '[',
      '7',
      "'",
      '{"action": "rm"}',
      'Final Answer',
      'é',
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => `a${parts.join('')}z`);
const scalar = fc.oneof(
  words,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('p', 'q', 'name', 'input'), scalar),
);
const input = fc
  .dictionary(fc.constantFrom('query', 'q', 'limit', 'text', 'action', 'answer'), value, { maxKeys: 4 })
  .map((object): JsonObject => JSON.parse(JSON.stringify(object)));
const tool = fc.constantFrom('search', 'list', 'unknown');

const members = (object: Readonly<Record<string, JsonValue>>) =>
  fc
    .shuffledSubarray(Object.entries(object), { minLength: Object.keys(object).length })
    .map((all) => Object.fromEntries(all));
const callObject = fc
  .tuple(words, tool, input, fc.constantFrom(['action', 'action_input'], ['tool', 'args'], ['name', 'arguments']))
  .chain(([thought, name, given, [toolKey = '', inputKey = '']]) =>
    members({ thought, [toolKey]: name, [inputKey]: given }).map((object) => ({ object, name, given })),
  );
const calls = fc.oneof(
  callObject,
  callObject.map(({ object, ...call }) => ({ ...call, object: { thoughts: { text: 'x' }, command: object } })),
);
const answers = fc
  .tuple(words, words)
  .chain(([thought, answer]) =>
    fc
      .oneof(
        members({ thought, action: 'final_answer', action_input: answer }),
        members({ thought, final_answer: answer }),
        members({ thought, action: 'Final Answer', answer }),
      )
      .map((object) => ({ object, answer: answer.trim() })),
  );
const spelled = (object: object) =>
  fc
    .tuple(fc.constantFrom(0, 1, 2), fc.constantFrom('', 'I look.\n', '```json\n'))
    .map(([indent, lead]) => `${lead}${JSON.stringify(object, null, indent)}${lead.startsWith('`') ? '\n```' : ''}`);

describe('in json, of a cut reply', () => {
  test.prop([calls.chain((call) => fc.record({ call: fc.constant(call), reply: spelled(call.object) }))], {
    numRuns: 150,
  })('nothing is called that was not written', ({ call, reply }) => {
    expect(read('json', reply)).toMatchObject({ kind: 'calls', calls: [{ tool: call.name, input: call.given }] });
    for (const part of prefixes(reply)) {
      const reading = read('json', part);
      expect(reading.kind, part).not.toBe('answer');
      if (reading.kind === 'calls')
        expect(reading.calls[0]?.tool === call.name && isPart(reading.calls[0].input, call.given), part).toBe(true);
    }
  });

  test.prop(
    [answers.chain(({ object, answer }) => fc.record({ answer: fc.constant(answer), reply: spelled(object) }))],
    {
      numRuns: 150,
    },
  )('nothing is answered that was not written', ({ answer, reply }) => {
    expect(read('json', reply)).toMatchObject({ kind: 'answer', answer });
    for (const part of prefixes(reply)) {
      const reading = read('json', part);
      expect(reading.kind, part).not.toBe('calls');
      if (reading.kind === 'answer') expect(reading.answer, part).toBe(answer);
    }
  });
});

describe.each(['labelled', 'paper', 'tags'])('in %s, of a cut reply', (dialect) => {
  test.prop([tool, input], { numRuns: 100 })('nothing is called that was not written', (name, given) => {
    const reply = dialectNamed(dialect).form?.call('I look.', name, given) ?? '';
    expect(read(dialect, reply)).toMatchObject({ kind: 'calls', calls: [{ tool: name, input: given }] });
    for (const part of prefixes(reply)) {
      const reading = read(dialect, part);
      expect(reading.kind, part).not.toBe('answer');
      if (reading.kind !== 'calls') continue;
      const [call] = reading.calls;
      const isNameCut = call?.input === null && name.startsWith(call.tool);
      expect(isNameCut || (call?.tool === name && isPart(call.input, given)), part).toBe(true);
    }
  });
});

function prefixes(reply: string): readonly string[] {
  return Array.from({ length: reply.length }, (_, length) => reply.slice(0, length));
}

/** Nothing in it but what the whole holds at the same place, or the beginning of a text or number there. */
function isPart(part: JsonValue, whole: JsonValue): boolean {
  if (Array.isArray(part) && Array.isArray(whole))
    return part.every((item, index) => isPart(item, whole[index] ?? null));
  if (isJsonObject(part) && isJsonObject(whole))
    return Object.entries(part).every(([key, item]) => Object.hasOwn(whole, key) && isPart(item, whole[key] ?? null));
  if (part === null || typeof part === 'boolean') return part === whole;
  if (typeof part === 'number') return typeof whole === 'number';
  return typeof part === 'string' && typeof whole === 'string' && whole.trim().startsWith(part);
}
