import { describe, expect, test } from 'vitest';
import { isBlank, isHalfStopWord, labelAt } from '../../src/protocol/labels.ts';
import { readAction } from '../../src/protocol/tool-name.ts';

describe('a line begins with a label', () => {
  test.each([
    ['Thought: a', 'thought', 'a'],
    ['thoughts: a', 'thought', 'a'],
    ['ACTION: a', 'action', 'a'],
    ['Action Input: a', 'input', 'a'],
    ['action_input: a', 'input', 'a'],
    ['Observation 2: a', 'observation', 'a'],
    ['Observation (search): a', 'observation', 'a'],
    ['**Observation 2 (get data)**: a', 'observation', 'a'],
    ['Observation: (search) a', 'observation', '(search) a'],
    ['观察（搜索）：a', 'observation', 'a'],
    ['Final Answer：a', 'answer', 'a'],
    ['Answer : a', 'answer', 'a'],
    ['Question: a', 'question', 'a'],
    ['  Action: a', 'action', 'a'],
    ['**Action:** a', 'action', 'a'],
    ['**Action**: a', 'action', 'a'],
    ['*Action*: a', 'action', 'a'],
    ['__Action:__ a', 'action', 'a'],
    ['## Action: a', 'action', 'a'],
    ['`Action:` a', 'action', 'a'],
    ['Action Input: ** a', 'input', 'a'],
    ['Action Input: *.md', 'input', '*.md'],
    ['Action Input: **kwargs', 'input', '**kwargs'],
    ['**Action Input:** *.md', 'input', '*.md'],
    ['Action Input: ```json', 'input', '```json'],
    ['思考：a', 'thought', 'a'],
    ['想法: a', 'thought', 'a'],
    ['行动 1：a', 'action', 'a'],
    ['动作：a', 'action', 'a'],
    ['操作：a', 'action', 'a'],
    ['操作输入：a', 'input', 'a'],
    ['观察结果：a', 'observation', 'a'],
    ['最终答案：a', 'answer', 'a'],
    ['\ufeffThought: a', 'thought', 'a'],
  ])('%j', (line, kind, content) => {
    const label = labelAt(line);
    expect(label?.kind).toBe(kind);
    expect(line.slice(label?.contentAt)).toBe(content);
  });

  test.each([
    '',
    'Thought',
    'Thoughtful: a',
    'My Action: a',
    'Actions: a',
    'Action items: a',
    '```Action: a',
    '- a',
    'A:',
  ])('not %j', (line) => expect(labelAt(line)).toBeNull());
});

test.each(['', ' ', '**', ' ** \t', '\u3000'])('%j is blank', (text) => expect(isBlank(text)).toBe(true));
test.each(['a', '-', '.'])('%j is not blank', (text) => expect(isBlank(text)).toBe(false));
test.each(['Obse', ' Observ', 'Observation'])('%j is half a stop word', (line) => {
  expect(isHalfStopWord(line)).toBe(true);
});
test.each(['Obs', 'Observer', 'observ', 'Observations'])('%j is none', (line) => {
  expect(isHalfStopWord(line)).toBe(false);
});

const tools = ['search', 'search_web', 'None of these', 'finish', 'Search (deep)', 'constructor'];

describe('behind an action label', () => {
  test.each([
    ['search', 'search'],
    ['`search`', 'search'],
    ['**search**', 'search'],
    ['"search".', 'search'],
    ['[search]', 'search'],
    ['search_web', 'search_web'],
    ['search_web - for news', 'search_web'],
    ['search the web', 'search'],
    ['searching', 'searching'],
    ['Jester', 'Jester'],
    ['finish', 'finish'],
    ['None of these', 'None of these'],
    ['Search (deep)', 'Search (deep)'],
    ['constructor', 'constructor'],
    ['toString', 'toString'],
    ['search({"q": 1})', 'search'],
    ['search Action Input: tide', 'search'],
    ['search **Action Input:** tide', 'search'],
  ])('%j is a call of %s', (text, tool) => expect(readAction(text, 0, tools)).toMatchObject({ kind: 'call', tool }));

  test.each([
    'None',
    'none.',
    'N/A',
    'No action needed',
    'None (reply directly)',
    '无',
    '不需要工具',
    'x '.repeat(200),
  ])('%j is no call', (text) => expect(readAction(text, 0, tools)).toEqual({ kind: 'none' }));

  test.each(['Final Answer', 'final_answer', '`Final Answer`', '最终答案'])('%j is the answer', (text) => {
    expect(readAction(text, 0, tools)).toEqual({ kind: 'answer', openAt: -1 });
  });
});
