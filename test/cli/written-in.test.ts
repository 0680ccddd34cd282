/** In which dialect and language a stored run goes on: each is known by its system message, whatever the tools are. */
import { describe, expect, it } from 'vitest';
import { writtenIn } from '../../src/cli/written-in.ts';
import type { ToolDescription } from '../../src/core/model.ts';
import { systemMessage } from '../../src/protocol/prompt.ts';
import { dialectNamed, dialectNames } from '../../src/protocol/read.ts';
import { tags } from '../../src/protocol/tags.ts';

const search: ToolDescription = { name: 'search', description: 'Finds.\n\nIn pages.', inputSchema: { type: 'object' } };
const languages = ['en', 'zh'] as const;
const options = [
  { tools: [], examples: true },
  { tools: [search], examples: true },
  { tools: [search], examples: false },
  { tools: [search], examples: true, instructions: '请用中文。\n\nBe brief.', answer: { type: 'number' } },
];

describe.each(dialectNames)('%s', (dialect) => {
  it.each(languages)('%s', (language) => {
    for (const some of options)
      expect(writtenIn(systemMessage(dialectNamed(dialect), { language, ...some }))).toEqual({ dialect, language });
  });
});

it.each<[string, string]>([
  ['nothing', ''],
  ["a program's own", 'You are helpful.\n\nAnswer in English.'],
  [
    'tags of other names',
    systemMessage(tags({ answer: ['reply'] }), { language: 'zh', tools: [search], examples: true }),
  ],
])('%s is none of ours', (_what, system) => {
  expect(writtenIn(system)).toBeNull();
});
