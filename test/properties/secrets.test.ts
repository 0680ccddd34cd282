/** Whatever a tool does with a secret, no channel shows it in any of its forms; and what is hidden once stays as it is. */
import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { ToolError } from '../../src/core/errors.ts';
import { createRedactor } from '../../src/core/redact.ts';
import type { AnyTool } from '../../src/core/tool.ts';
import { formsOf, leaks, seenOf } from '../dispatch/leaks.ts';
import { does, gives, throws } from '../dispatch/told.ts';

/** Begins with what stands nowhere else. */
const secret = fc
  .tuple(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.constantFrom('q7Z', '“q', '/+"\\q', 'q\nlongenough9'))
  .map(([text, end]) => `Q9${text}${end}`);
const lead = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.integer({ min: 0, max: 6_000 }).map((length) => 'x'.repeat(length)),
  fc.constantFrom('Authorization: Bearer ', '{"token":"', 'Cookie: a=', "-H 'x-api-key: ", '[redacted]', 'https://u:'),
);
const encodings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text),
  (text) => JSON.stringify(JSON.stringify({ text })),
  encodeURIComponent,
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(`user:${text}!`).toString('base64'),
];
const containers: readonly ((text: string) => unknown)[] = [
  (text) => text,
  (text) => ({ a: [{ b: text }] }),
  (text) => ({ [text]: 1 }),
  (text) => new Map([[text, text]]),
  (text) => new Error(text, { cause: new Error(text) }),
  (text) => ({ error: Object.assign(new Error('no'), { name: text }) }),
  (text) => new Set([text, { toJSON: () => text }]),
];
const exits: readonly ((value: unknown, text: string) => AnyTool)[] = [
  (value) => gives(value),
  (value) => gives(value, { endsRun: true }),
  (value) => throws(value),
  (value, text) => throws(new ToolError(text, { hint: text, cause: value })),
  (value, text) => throws(new AggregateError([value, text], text)),
  (value) =>
    does(async function* () {
      yield value;
      yield { last: value };
    }),
  (value, text) => gives({ [text]: value }, { outputSchema: { type: 'object', additionalProperties: false } }),
  (value, text) => gives(value, { outputSchema: { enum: [text] } }),
];
const among = <Value>(values: readonly Value[]) => fc.constantFrom(...values);

test.prop(
  [secret, lead, among(encodings), among(containers), among(exits), fc.constantFrom('labelled', 'json', 'native')],
  {
    numRuns: 400,
  },
)('a tool cannot put a secret anywhere', async (hidden, before, encode, contain, exit, dialect) => {
  const text = `${before}${encode(hidden)} ${hidden}`;
  const seen = await seenOf({
    tools: { look: exit(contain(text), text) },
    agent: { redact: [hidden], dialect },
    replies: [
      dialect === 'native'
        ? { calls: [{ tool: 'look', input: {} }] }
        : dialect === 'json'
          ? '{"thought":"x","action":"look","action_input":{}}'
          : 'Thought: x\nAction: look\nAction Input: {}',
      dialect === 'json' ? '{"thought":"x","final_answer":"ok"}' : 'Thought: x\nFinal Answer: ok',
    ],
  });
  expect(leaks(seen, hidden.trim())).toEqual([]);
});

const fragment = fc.oneof(
  among([
    'authorization',
    'Cookie',
    'x-api-key',
    '"',
    "'",
    '\\"',
    '\\',
    ':',
    '=',
    ',',
    '=>',
    '[',
    ']',
    '{',
    '\n',
    '\\n',
    ' ',
  ]),
  among([
    'Bearer ',
    'Basic ',
    'Digest username="a", ',
    '[redacted]',
    'https://',
    '@',
    'a:b',
    'abc123',
    'word',
    'SECRET',
    'ECRETS',
  ]),
  fc.string({ maxLength: 4 }),
);
const texts = fc.array(fragment, { maxLength: 25 }).map((parts) => parts.join(''));

test.prop([texts], { numRuns: 3_000 })(
  'hiding twice is hiding once, and the parts that stay are as they were',
  (text) => {
    const { text: hide } = createRedactor(['SECRET', 'CRETS', /b\w{2,4}/]);
    const once = hide(text);
    expect(hide(once)).toBe(once);
    let at = 0;
    for (const part of once.split('[redacted]')) {
      expect(text.indexOf(part, at)).toBeGreaterThanOrEqual(at);
      at = text.indexOf(part, at) + part.length;
    }
  },
);

test.prop([texts, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 })], { numRuns: 2_000 })(
  'in pieces as much is hidden as in one',
  (text, sizes) => {
    const { text: hide, settled } = createRedactor(['SECRET', 'CRETSECRE']);
    let [held, shown, at] = ['', '', 0];
    for (let index = 0; at < text.length; index++) {
      const size = sizes[index % sizes.length] ?? 1;
      held += text.slice(at, at + size);
      at += size;
      const length = settled(held);
      shown += hide(held.slice(0, length));
      held = held.slice(length);
    }
    shown += hide(held);
    for (const form of formsOf('SECRET')) expect(shown).not.toContain(form);
  },
);

test.prop([texts, texts, secret], { numRuns: 2_000 })('wherever it stands', (before, behind, hidden) => {
  const { text: hide } = createRedactor([hidden]);
  const whole = hidden.trim();
  for (const encode of encodings)
    for (const form of formsOf(whole)) expect(hide(`${before}${encode(whole)}${behind}`)).not.toContain(form);
});
