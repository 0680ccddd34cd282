import { describe, expect, test } from 'vitest';
import type { Language, PromptOptions, ToolDescription } from '../../src/protocol/dialect.ts';
import { exampleReplies } from '../../src/protocol/examples.ts';
import { jsonForm } from '../../src/protocol/json-form.ts';
import { labelledForm } from '../../src/protocol/labelled-form.ts';
import { paperForm } from '../../src/protocol/paper-form.ts';
import { describeTools, systemMessage } from '../../src/protocol/prompt.ts';
import { dialectNamed, readReply } from '../../src/protocol/read.ts';
import { tags } from '../../src/protocol/tags.ts';

const tools: readonly ToolDescription[] = [
  {
    name: 'search',
    description: 'Looks something up.',
    inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
  { name: 'clock', description: '', inputSchema: null },
];
const options = (language: Language, examples = true): PromptOptions => ({ tools, language, examples });
const rows = [
  { name: 'labelled', form: labelledForm, language: 'en' },
  { name: 'labelled', form: labelledForm, language: 'zh' },
  { name: 'json', form: jsonForm, language: 'en' },
  { name: 'json', form: jsonForm, language: 'zh' },
  { name: 'tags', form: tags().form, language: 'en' },
  { name: 'tags', form: tags().form, language: 'zh' },
  { name: 'paper', form: paperForm, language: 'en' },
  { name: 'paper', form: paperForm, language: 'zh' },
] as const;

describe.each(rows)('the instructions of $name in $language', ({ name, form, language }) => {
  test('are pinned to the byte', async () => {
    const text = `${dialectNamed(name).instructions(options(language))}\n`;
    await expect(text).toMatchFileSnapshot(`./pins/${name}.${language}.txt`);
  });

  test('name the markers of faults and forbid invented observations', () => {
    const text = dialectNamed(name).instructions(options(language, false));
    for (const word of ['[FormatError]', '[ToolError]', '[LoopGuard]', 'Observation'])
      expect.soft(text).toContain(word);
    expect(text).not.toContain('find_page');
  });

  test('show examples that the own reader reads rightly', () => {
    const readings = exampleReplies(form, language).map((reply) => readReply(reply, { dialect: name, tools: [] }));
    expect(readings.map((reading) => reading.kind)).toEqual([
      ...['calls', 'answer'],
      ...['calls', 'calls', 'answer'],
      ...['calls', 'calls', 'answer'],
    ]);
    for (const reading of readings) {
      expect.soft(reading.thought).not.toBeNull();
      expect.soft(reading).not.toHaveProperty('dropped');
    }
  });

  test('show those examples word for word', () => {
    const text = dialectNamed(name).instructions(options(language));
    for (const reply of exampleReplies(form, language)) expect.soft(text).toContain(reply);
  });
});

describe('a system message', () => {
  const labelled = dialectNamed('labelled');

  test('begins with the instructions of the user', () => {
    const message = systemMessage(labelled, { ...options('en'), instructions: ' You keep the harbour log. ' });
    expect(message).toBe(`You keep the harbour log.\n\n${labelled.instructions(options('en'))}`);
  });

  test.each([undefined, '', '  '])('is the dialect alone where there are none: %j', (instructions) => {
    const given = instructions === undefined ? {} : { instructions };
    expect(systemMessage(labelled, { ...options('en'), ...given })).toBe(labelled.instructions(options('en')));
  });

  test('says so where there are no tools', () => {
    expect(describeTools([], 'en')).toBe('There are no tools. Answer directly.');
    expect(describeTools([], 'zh')).toBe('没有可用的工具，请直接作答。');
  });
});

describe('results are written back', () => {
  test.each(['labelled', 'json', 'tags', 'paper'])('by %s', (name) => {
    const dialect = dialectNamed(name);
    expect(dialect.writeObservation([{ tool: 'search', text: '3' }])).toBe('Observation: 3');
    expect(
      dialect.writeObservation([
        { tool: 'search', text: '3' },
        { tool: 'clock', text: '4' },
      ]),
    ).toBe('Observation: (search) 3\nObservation: (clock) 4');
  });
});
