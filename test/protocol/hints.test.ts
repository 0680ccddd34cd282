import { describe, expect, test } from 'vitest';
import { violationCodes } from '../../src/core/stop-reasons.ts';
import { readReply, violationHint } from '../../src/protocol/read.ts';

const tools = ['search', 'clock'];
const rows = ['labelled', 'json', 'tags', 'paper'].flatMap((dialect) =>
  (['en', 'zh'] as const).flatMap((language) => violationCodes.map((code) => ({ dialect, language, code }))),
);

describe('every hint', () => {
  test.each(rows)('$dialect, $language, $code', ({ dialect, language, code }) => {
    const text = violationHint(code, { dialect, tools, language, seen: 'abc', tool: 'search' });
    const [, example = ''] = text.split(/\n([\s\S]*)/);
    expect(text).toContain('search');
    expect(text).toContain('clock');
    expect(text).not.toContain('[FormatError]');
    expect(readReply(example, { dialect, tools })).toMatchObject({ kind: 'calls', calls: [{ tool: 'search' }] });
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
