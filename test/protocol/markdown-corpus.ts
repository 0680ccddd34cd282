/** Reads a Markdown corpus: under each heading a reply block, perhaps calls, then the expected reading as JSON. */
import { readFileSync } from 'node:fs';

export interface CorpusCase {
  readonly title: string;
  readonly reply: string;
  /** The provider's own calls; only in `native`. */
  readonly calls: readonly WrittenCall[];
  readonly reading: unknown;
}

export interface WrittenCall {
  readonly tool: string;
  /** As it stands on the wire. */
  readonly input: string;
}

export interface Corpus {
  readonly tools: readonly string[];
  readonly cases: readonly CorpusCase[];
}

export function readCorpus(dialect: string): Corpus {
  const text = readFileSync(new URL(`../corpus/${dialect}.md`, import.meta.url), 'utf8');
  const [intro = '', ...sections] = text.split(/^## /m);
  const tools = (/^Tools: (.*)$/m.exec(intro)?.[1] ?? '').split(', ');
  return { tools, cases: sections.map(readSection) };
}

function readSection(section: string): CorpusCase {
  const title = section.slice(0, section.indexOf('\n'));
  // The two blocks in one pattern: a reply may itself hold fences of JSON.
  const blocks =
    /^(`{3,}|~{3,})text\n([\s\S]*?)\n\1\n\n(?:```calls\n([\s\S]*?)\n```\n\n)?(`{3,}|~{3,})json\n([\s\S]*?)\n\4$/m.exec(
      section,
    );
  if (blocks === null) throw new Error(`The case "${title}" lacks a block.`);
  return { title, reply: blocks[2] ?? '', calls: JSON.parse(blocks[3] ?? '[]'), reading: JSON.parse(blocks[5] ?? '') };
}
