import { describe, expect, test } from 'vitest';
import { AgentError } from '../../src/core/errors.ts';
import { readReply, violationHint } from '../../src/protocol/read.ts';
import { tags } from '../../src/protocol/tags.ts';
import type { TagNames } from '../../src/protocol/tags-names.ts';

const tools = ['search', 'Python'];
const read = (reply: string, names: TagNames) => readReply(reply, { dialect: tags(names), tools });

describe('names of your own', () => {
  test.each<[title: string, names: TagNames, reply: string, reading: object]>([
    ['code for another tool', { code: ['python'] }, '<python>1</python>', { calls: [{ tool: 'Python', input: '1' }] }],
    ['replace the defaults', { code: ['python'] }, '<execute>1</execute>', { kind: 'violation', code: 'no_step' }],
    ['leave other roles as they are', { code: ['python'] }, '<answer>4</answer>', { answer: '4' }],
    ['take a default name of another role', { answer: ['result'] }, '<result>4</result>', { answer: '4' }],
    ['may be written in any case', { answer: ['Reply'] }, '<reply>4</REPLY>', { answer: '4' }],
    ['may be Chinese', { answer: ['答案'] }, '<答案>4</答案>', { answer: '4' }],
    ['may be those of thinking', { thought: ['think'] }, '<think>a</think><answer>4</answer>', { thought: 'a' }],
    ['may be none', { observation: [] }, '<result><answer>4</answer></result>', { answer: '4' }],
  ])('%s', (_title, names, reply, reading) => expect(read(reply, names)).toMatchObject(reading));

  test('keep a thought that is not thinking set aside', () => {
    const reply = '<think>a</think>\n<answer>4</answer>';
    const kept = [{}, { thought: ['think'] }].map((names) => {
      const scanner = tags(names).scanner({ tools, language: 'en' });
      scanner.feed(reply);
      return scanner.kept();
    });
    expect(kept).toEqual(['<answer>4</answer>', reply]);
  });

  test.each(['en', 'zh'] as const)('are taught and hinted at, in %s', (language) => {
    const dialect = tags({ thought: ['plan'], call: ['do'], answer: ['say'] });
    const taught = dialect.instructions({ tools: [], language, examples: true });
    const hint = violationHint('truncated', { dialect, tools, language });
    for (const text of [taught, hint]) {
      for (const tag of ['<plan>', '</do>', '<say>']) expect.soft(text).toContain(tag);
      expect.soft(text).not.toContain('<thought>');
    }
  });

  test.each<[names: TagNames, message: string]>([
    [{ code: ['a b'] }, 'tags.code has the name "a b".'],
    [{ code: [''] }, 'tags.code has the name "".'],
    [{ answer: ['x>'] }, 'tags.answer has the name "x>".'],
    [{ answer: ['x'.repeat(65)] }, `tags.answer has the name "${'x'.repeat(65)}".`],
    [{ answer: [] }, 'tags.answer is empty.'],
    [{ code: ['Run'], call: ['run'] }, 'tags.code and tags.call both have the name "run".'],
    [{ code: ['answer', 'solution', 'final_answer'] }, 'tags.answer has no name left.'],
  ])('%j is refused', (names, message) => {
    expect(() => tags(names)).toThrow(AgentError);
    expect(() => tags(names)).toThrow(expect.objectContaining({ code: 'invalid_option', message }));
  });
});

describe('the hint', () => {
  const hintOf = (reply: string, language: 'en' | 'zh'): string => {
    const reading = readReply(reply, { dialect: 'tags', tools, language });
    return reading.kind === 'violation' ? reading.hint : '';
  };

  test.each([
    ['names the tag that was not closed', '<execute>\nx = 1', 'en', 'The tag <execute> was not closed with </execute>'],
    ['names it in Chinese', '<answer>4', 'zh', '标签 <answer> 没有用 </answer> 闭合'],
    ['begins with what is wrong', '<answer>4', 'en', /^The tag <answer> was not closed with/],
    ['quotes the step', 'So:\n<tool_call>{"name": "search", "arguments": {"a"', 'en', 'it began with "<tool_call>{'],
    ['names the tool', '<tool_call name="search">{"a": "f": "b"}</tool_call>', 'en', 'The input of "search"'],
  ] as const)('%s', (_title, reply, language, part) => expect(hintOf(reply, language)).toMatch(part));
});
