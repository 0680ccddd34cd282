import { expect, test } from 'vitest';
import { AgentError } from '../../src/core/errors.ts';
import { dialectNamed, dialectNames, readReply } from '../../src/protocol/read.ts';

test('a dialect is known by its name, and given back as it is', () => {
  const labelled = dialectNamed('labelled');
  expect(labelled.name).toBe('labelled');
  expect(dialectNamed('json').name).toBe('json');
  expect(dialectNamed('tags').name).toBe('tags');
  expect(dialectNamed('paper').name).toBe('paper');
  expect(dialectNamed(labelled)).toBe(labelled);
});

test.each(['toString', '__proto__', 'Labelled', ''])('an unknown name lists those known: %j', (name) => {
  const read = () => readReply('Final Answer: 4', { dialect: name, tools: [] });
  expect(read).toThrow(AgentError);
  expect(read).toThrow(expect.objectContaining({ code: 'invalid_option', hint: `Known: ${dialectNames.join(', ')}.` }));
});

test('a dialect of the user reads too', () => {
  const answer = { kind: 'answer', thought: null, answer: 'mine' } as const;
  const scanner = { feed: () => [], end: () => ({ marks: [], reading: answer }), kept: () => '' };
  const mine = { ...dialectNamed('labelled'), name: 'mine', scanner: () => scanner };
  expect(readReply('anything', { dialect: mine, tools: [] })).toBe(answer);
});

test("a user's tool named finish wins over the word for answering", () => {
  const reply = '{"action": "finish", "action_input": {"id": 3}}';
  expect(readReply(reply, { dialect: 'json', tools: ['finish'] }).kind).toBe('calls');
  expect(readReply(reply, { dialect: 'json', tools: [] }).kind).toBe('answer');
});

test.each(['labelled', 'json', 'tags', 'paper'])(
  '%s survives a closing think tag behind a million lines',
  (dialect) => {
    const reply = `${'\n'.repeat(1_000_000)}</think>\nFinal Answer: 4`;
    expect(readReply(reply, { dialect, tools: [] })).toMatchObject({ kind: 'answer', answer: '4' });
  },
);
