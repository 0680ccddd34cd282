import { describe, expect, test } from 'vitest';
import { violationCodes } from '../../src/core/stop-reasons.ts';
import { dialectNamed, dialectNames, readReply, violationHint } from '../../src/protocol/read.ts';

const tools = ['search', 'clock'];
const rows = dialectNames.flatMap((dialect) =>
  (['en', 'zh'] as const).flatMap((language) => violationCodes.map((code) => ({ dialect, language, code }))),
);

describe('every hint', () => {
  test.each(rows)('$dialect, $language, $code', ({ dialect, language, code }) => {
    const text = violationHint(code, { dialect, tools, language, seen: 'abc', tool: 'search' });
    const [sentences = '', example = ''] = text.split(/\n([\s\S]*)/);
    const names = dialect === 'id' ? ['T01', 'T02'] : tools;
    for (const name of names) expect.soft(sentences).toContain(name);
    if (code === 'no_step' || code === 'unreadable_input') expect.soft(sentences).toContain('"abc"');
    if (code === 'missing_input' || code === 'unreadable_input') expect.soft(sentences).toContain('"search"');
    expect.soft(sentences).toContain(dialectNamed(dialect).form?.rule[language]);
    expect.soft(text).not.toContain('[FormatError]');
    expect.soft(example).toContain(names[0]);
    expect(readReply(example, { dialect, tools })).toMatchObject({ kind: 'calls', calls: [{ tool: 'search' }] });
  });

  test('shows a call in native as most models know it, by its name on the wire', () => {
    const text = violationHint('truncated', { dialect: 'native', tools: ['save note', 'clock'] });
    expect(text).toMatchInlineSnapshot(`
      "Your reply was cut off at its length limit, so nothing of it was run. Write a shorter one. Call a tool with a tool call, or write the answer as plain text. Tools: save_note, clock.
      For example:
      I need save_note.
      <tool_call>{"name":"save_note","arguments":{"<argument>":"<value>"}}</tool_call>"
    `);
  });

  test('shows an id in id, and none of a tool that was removed', () => {
    const text = violationHint('thought_only', { dialect: 'id', tools: ['clock'], registered: ['search', 'clock'] });
    expect(text).toMatchInlineSnapshot(`
      "Your reply ended behind the thought, without an action or a final answer. Write "Thought:" first, then either "Action:" with the id of a tool and one JSON object, or "Answer:". Tools: T02.
      For example:
      Thought: I need T02.
      Action: T02 {"<argument>":"<value>"}"
    `);
    const reading = readReply('Thought: hm', { dialect: 'id', tools: ['clock'], registered: ['search', 'clock'] });
    expect(reading.kind === 'violation' ? reading.hint : '').toBe(text);
  });

  test('differs by code', () => {
    const texts = violationCodes.map((code) => violationHint(code, { dialect: 'labelled', tools }));
    expect(new Set(texts).size).toBe(violationCodes.length);
  });

  test('shows an answer where there are no tools', () => {
    const text = violationHint('no_step', { dialect: 'labelled', tools: [], seen: 'Hello' });
    expect(text).toMatchInlineSnapshot(`
      "Your reply held neither an action nor a final answer; it began with "Hello". Write "Thought:" first, then either "Action:" with "Action Input:" (a JSON object), or "Final Answer:".
      For example:
      Thought: I know the answer.
      Final Answer: …"
    `);
  });

  test('stays short, whatever the reply and the tools', () => {
    const many = Array.from({ length: 500 }, (_, index) => `tool_${index}_${'x'.repeat(500)}`);
    const text = violationHint('no_step', { dialect: 'labelled', tools: many, seen: 'y'.repeat(1_000_000) });
    expect(text.length).toBeLessThan(4_000);
  });
});

describe('the hint of a reading', () => {
  test.each([
    ['quotes what was seen', 'Paris is the capital.', 'it began with "Paris is the capital."'],
    ['names the tool with the bad input', 'Action: search\nAction Input: {"q": "f": "b"}', 'The input of "search"'],
  ])('%s', (_title, reply, part) => {
    const reading = readReply(reply, { dialect: 'labelled', tools });
    expect(reading.kind === 'violation' ? reading.hint : '').toContain(part);
  });

  test('is in the language asked for', () => {
    const reading = readReply('你好', { dialect: 'labelled', tools, language: 'zh' });
    expect(reading.kind === 'violation' ? reading.hint : '').toContain('既没有行动，也没有最终答案；开头是 "你好"');
  });
});
