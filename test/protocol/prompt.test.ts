import { describe, expect, test } from 'vitest';
import { tokensOfUnits, tokenUnits } from '../../src/context/tokens.ts';
import type { JsonObject, JsonValue } from '../../src/core/json.ts';
import type { Language, PromptOptions, ToolDescription } from '../../src/protocol/dialect.ts';
import { exampleReplies, exampleTools } from '../../src/protocol/examples.ts';
import { idForm } from '../../src/protocol/id-form.ts';
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
/** The examples in `id` call tools by ids that no real tool has. */
const idExamples = {
  ...idForm,
  call: (thought: string, tool: string, input: JsonValue) =>
    idForm.call(thought, `T${901 + exampleTools.indexOf(tool)}`, input),
};
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
  { name: 'id', form: idExamples, language: 'en' },
  { name: 'id', form: idExamples, language: 'zh' },
] as const;

describe.each(rows)('the instructions of $name in $language', ({ name, form, language }) => {
  test('are pinned to the byte', async () => {
    const text = `${dialectNamed(name).instructions(options(language))}\n`;
    await expect(text).toMatchFileSnapshot(`./pins/${name}.${language}.txt`);
  });

  test('name the markers of faults and forbid invented observations', () => {
    const text = dialectNamed(name).instructions(options(language, false));
    const markers = name === 'id' ? ['ERROR:'] : ['[FormatError]', '[ToolError]', '[LoopGuard]'];
    for (const word of [...markers, 'Observation']) expect.soft(text).toContain(word);
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

describe.each(['en', 'zh'] as const)('the instructions of native in %s', (language) => {
  const { instructions } = dialectNamed('native');

  test('are pinned to the byte', async () => {
    await expect(`${instructions(options(language))}\n`).toMatchFileSnapshot(`./pins/native.${language}.txt`);
  });

  test('name the markers of faults, and leave tools and examples to the provider', () => {
    const text = instructions(options(language));
    for (const word of ['[FormatError]', '[ToolError]', '[LoopGuard]']) expect.soft(text).toContain(word);
    for (const word of ['search', 'Looks something up.', 'find_page']) expect.soft(text).not.toContain(word);
    expect(text).toBe(instructions(options(language, false)));
  });

  test('say so where there are no tools', () => {
    expect(instructions({ ...options(language), tools: [] })).toContain(
      language === 'en' ? 'no tools' : '没有可用的工具',
    );
  });
});

describe('what a tool costs', () => {
  const field = (type: string, description: string) => ({ type, description });
  const described = (
    name: string,
    description: string,
    properties: Readonly<Record<string, JsonObject>>,
    required: readonly string[],
  ): ToolDescription => ({
    name,
    description,
    inputSchema: { type: 'object', properties, required: [...required], additionalProperties: false },
  });
  const realistic = [
    described(
      'searchLogs',
      'Searches the logs of a service.',
      { service: field('string', 'Its name.'), query: field('string', 'Words.'), limit: field('integer', 'Lines.') },
      ['service', 'query'],
    ),
    described(
      'readFile',
      'Reads a part of a file.',
      { path: field('string', 'Where.'), from: field('integer', 'First line.') },
      ['path'],
    ),
    described('weather', 'The weather of today.', { city: field('string', 'Its name.') }, ['city']),
    described(
      'sendMail',
      'Sends a message.',
      { to: field('string', 'Address.'), subject: field('string', 'One line.'), body: field('string', 'Text.') },
      ['to', 'subject', 'body'],
    ),
    described(
      'queryMetrics',
      'Values of a metric.',
      { name: field('string', 'Of the metric.'), minutes: field('number', 'Back from now.') },
      ['name'],
    ),
    described('clock', 'The time.', {}, []),
  ];
  /** Tokens that these tools add to the instructions, each. */
  const tokensEach = (dialect: string) => {
    const unitsOf = (list: readonly ToolDescription[]) =>
      tokenUnits(dialectNamed(dialect).instructions({ tools: list, language: 'en', examples: true }));
    return tokensOfUnits(unitsOf(realistic) - unitsOf(realistic.slice(0, 1))) / (realistic.length - 1);
  };

  test('about 15 tokens in id, which is less than half of what it is elsewhere', () => {
    expect(tokensEach('id')).toBeLessThanOrEqual(20);
    expect(tokensEach('id')).toBeGreaterThan(8);
    expect(tokensEach('labelled')).toBeGreaterThan(2 * tokensEach('id'));
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
