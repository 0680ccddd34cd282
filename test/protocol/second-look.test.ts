/** Steps in the form of another dialect, and plain text: what is read at the second look, and what is not. */
import { describe, expect, test } from 'vitest';
import { createReader, dialectNames, type ReadReplyOptions, readReply } from '../../src/protocol/read.ts';
import { textDialects } from '../../src/protocol/text-dialects.ts';

const tools = ['search', 'clock'];
const read = (reply: string, dialect: string, more: Partial<ReadReplyOptions> = {}) =>
  readReply(reply, { dialect, tools, ...more });
const pairs = dialectNames.flatMap((dialect) =>
  textDialects.filter(({ name }) => name !== dialect && name !== 'id').map((other) => ({ dialect, other })),
);
const search = { tool: 'search', input: { q: 'tide' } };
const broken = 'Action: search\nAction Input: {"q": "tide "table" for "Westmoor"}';
const step = (name: string, tool = 'search') =>
  textDialects.find((dialect) => dialect.name === name)?.form.call('I look.', tool, { q: 'tide' }) ?? '';

describe.each(pairs)('a reply to $dialect in the form of $other.name', ({ dialect, other }) => {
  test('is read, and where it is not the own form that is noted', () => {
    const reading = read(other.form.call('I look.', 'search', { q: 'tide' }), dialect);
    expect(reading).toMatchObject({ kind: 'calls', calls: [search] });
    expect(reading.thought).toContain('I look.');
    // The labels of `paper` are those of `labelled`, which reads brackets too.
    const forms = new Set([undefined, other.name, other.name === 'paper' ? 'labelled' : undefined]);
    expect(forms).toContain('dialect' in reading ? reading.dialect : undefined);
  });

  test('is no call where it stands in an observation', () => {
    const text = `Observation: ${other.form.call('I look.', 'search', { q: 'tide' })}`;
    if (dialect === 'native') return expect(read(text, dialect).kind).not.toBe('violation');
    // A label at the start of its own line is the model's own: it ends what was made up.
    if (text.includes('\nAction')) return expect(read(text, dialect)).toMatchObject({ kind: 'calls' });
    expect(read(text, dialect).kind).toBe('violation');
  });
});

test('the stop of such a step carries no call, so that what is known of it comes with the end', () => {
  const reader = createReader({ dialect: 'tags', tools });
  const reply = `${step('labelled')}\nObservation: 14:20\nFinal Answer: 14:20`;
  expect(reader.feed(reply)).toEqual([]);
  expect(reader.end()).toEqual({
    marks: [{ stop: 'action', thought: 'I look.', calls: [] }],
    reading: {
      kind: 'calls',
      thought: 'I look.',
      calls: [search],
      dropped: 'Observation: 14:20\nFinal Answer: 14:20',
      dialect: 'labelled',
    },
  });
  expect(reader.kept()).toBe(step('labelled'));
});

describe('what is not read at the second look', () => {
  test.each([
    ['a call of a tool that does not exist', 'labelled', step('tags', 'rm')],
    ['an example in prose', 'labelled', 'One writes {"action": "search", "action_input": {}} to search.'],
    ['an object behind prose', 'tags', 'I would call\n{"action": "search", "action_input": {}}'],
    ['prose', 'paper', 'The tide table says 14:20.'],
  ])('%s', (_what, dialect, reply) => {
    expect(read(reply, dialect)).toMatchObject({ kind: 'violation', code: 'no_step' });
  });

  test.each([
    ['an input that cannot be read', 'labelled', `${broken}\n${step('tags')}`],
    ['an action without a tool', 'labelled', `Action: None\n${step('tags')}`],
    ['an own step', 'labelled', `${step('labelled')}\n${step('tags', 'clock')}`],
  ])('a reply that tried its own form: %s', (_what, dialect, reply) => {
    expect(read(reply, dialect)).not.toMatchObject({ dialect: expect.anything() });
  });
});

describe('plain text', () => {
  const text = 'High water is at 14:20.\n\nLow water is at 20:31.';

  test.each(textDialects.map(({ name }) => name))(
    'is a violation in %s, or the answer where that is chosen',
    (name) => {
      expect(read(text, name)).toMatchObject({ kind: 'violation', code: 'no_step' });
      expect(read(text, name, { plainText: 'answer' })).toEqual({ kind: 'answer', thought: null, answer: text });
    },
  );

  test.each([
    ['thinking is set aside', `<think>Look.</think>${text}`, { kind: 'answer', thought: 'Look.', answer: text }],
    ['a thought alone stays a violation', 'Thought: High water?', { kind: 'violation', code: 'thought_only' }],
    ['nothing stays a violation', ' \n', { kind: 'violation', code: 'empty' }],
    ['an own step stays one', step('labelled'), { kind: 'calls', calls: [search] }],
    ['a step in another form is one', step('tags'), { kind: 'calls', calls: [search], dialect: 'tags' }],
    ['a broken call stays a violation', broken, { kind: 'violation' }],
  ])('%s', (_what, reply, expected) => {
    expect(read(reply, 'labelled', { plainText: 'answer' })).toMatchObject(expected);
  });
});
