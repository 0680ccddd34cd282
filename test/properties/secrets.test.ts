/** Whatever a tool does with a secret, no channel shows it in any of its forms; and what is hidden once stays as it is. */
import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { ToolError } from '../../src/core/errors.ts';
import { createRedactor } from '../../src/core/redact.ts';
import type { AnyTool } from '../../src/core/tool.ts';
import { replyPieces } from '../../src/shell/reply-pieces.ts';
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
    holdsInOrder(text, once.split('[redacted]'));
  },
);

function holdsInOrder(text: string, parts: readonly string[]): void {
  let at = 0;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < at) expect(text.slice(at)).toContain(part);
    at = found + part.length;
  }
}

/** Of the reply, cut anywhere, all that whoever watches is shown. */
function streamed(text: string, sizes: readonly number[], secrets: readonly (string | RegExp)[]): string {
  let shown = '';
  const pieces = replyPieces(createRedactor(secrets), (_step, piece) => {
    shown += piece;
  });
  for (let index = 0, at = 0; at < text.length; index++) {
    const to = at + (sizes[index % sizes.length] ?? 1);
    pieces.take(1, text.slice(at, to));
    at = to;
  }
  pieces.end();
  return shown;
}

const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
const kinds = among<readonly (string | RegExp)[]>([
  [],
  ['SECRET', 'CRETSECRE'],
  [/SEC\w+/],
  ['SECRET', /b\w{2,4}/, /word ?word/],
]);

test.prop([texts, cuts, kinds], { numRuns: 2_000 })(
  'in pieces as much is hidden as in one: nothing more is found in what was shown',
  (text, sizes, secrets) => {
    const shown = streamed(text, sizes, secrets);
    expect(createRedactor(secrets).text(shown)).toBe(shown);
  },
);

/** A password, which stands nowhere else. */
const password = fc.stringMatching(/^Q7[A-Za-z0-9]{6,40}$/);
const written = among<(password: string) => string>([
  (value) => `curl https://bob:${value}@example.org/`,
  (value) => `curl https://${value}@example.org/path -s`,
  (value) => `Authorization: Bearer ${value}`,
  (value) => `authorization: Basic ${value}==`,
  (value) => `curl -H "X-Api-Key: ${value}" https://example.org`,
  (value) => JSON.stringify({ 'x-api-key': value, accept: 'any' }),
  (value) => JSON.stringify({ body: JSON.stringify({ authorization: `Bearer ${value}` }) }),
  (value) => JSON.stringify({ 'set-cookie': ['a=b', value, 'c=d'] }),
  (value) => `[["authorization", "${value}"], ["accept", "any"]]`,
  (value) => `Cookie: session=${value}; theme=dark\n`,
  (value) => `{ 'api-key': '${value}' }`,
  (value) => `API_KEY=${value}`,
  (value) => `a bearer ${value} and`,
]);
const prose = among([
  'The cookie is sweet.',
  'Authorization: the process of',
  'a: b',
  'see https://example.org/',
  '见，',
  '{"a":[1',
  '\\',
]);
const between = among([' ', '\n', '\n\n', ', ']);

test.prop([fc.array(fc.tuple(fc.oneof(prose, written), between), { maxLength: 6 }), password, cuts, kinds], {
  numRuns: 2_000,
})(
  'a credential is not shown in two halves, and the rest of the reply is shown as it is',
  (drawn, value, sizes, kind) => {
    const text = drawn.map(([part, end]) => (typeof part === 'string' ? part : part(value)) + end).join('');
    const shown = streamed(text, sizes, kind);
    for (const half of [value.slice(0, 8), value.slice(-8)]) expect(shown).not.toContain(half);
    if (kind.length > 0) return;
    // A blank beside what is hidden may be hidden with it.
    const parts = createRedactor([]).text(text).split('[redacted]');
    holdsInOrder(
      shown,
      parts.map((part) => part.trim()),
    );
  },
);

test.prop([texts, texts, secret], { numRuns: 2_000 })('wherever it stands', (before, behind, hidden) => {
  const { text: hide } = createRedactor([hidden]);
  const whole = hidden.trim();
  for (const encode of encodings)
    for (const form of formsOf(whole)) expect(hide(`${before}${encode(whole)}${behind}`)).not.toContain(form);
});
