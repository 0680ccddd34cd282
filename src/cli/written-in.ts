/** In which dialect and language a stored run is written: those whose fixed sentences stand in its system message. Pure. */
import type { Language } from '../core/language.ts';
import type { ToolDescription } from '../core/model.ts';
import { systemMessage } from '../protocol/prompt.ts';
import { dialectNamed, dialectNames } from '../protocol/read.ts';

export interface WrittenIn {
  readonly dialect: string;
  readonly language: Language;
}

const languages: readonly Language[] = ['en', 'zh'];

/** Whatever its tools are, which may have been changed since. Null where it is none of ours, such as a dialect of a program's own. */
export function writtenIn(system: string): WrittenIn | null {
  for (const dialect of dialectNames)
    for (const language of languages)
      if (fixedTexts(dialect, language).some((fixed) => system.includes(fixed))) return { dialect, language };
  return null;
}

/** What stands in each system message of a dialect; more than one text where it depends on whether there are tools. */
function fixedTexts(name: string, language: Language): readonly string[] {
  const dialect = dialectNamed(name);
  const taught = (tools: readonly ToolDescription[]) => systemMessage(dialect, { tools, language, examples: false });
  if (dialect.wire !== undefined) return [taught([]), taught([anyTool])];
  const withoutTools = taught([]);
  return [withoutTools.slice(withoutTools.indexOf(behindTools) + behindTools.length)];
}

const anyTool: ToolDescription = { name: 'any', description: '', inputSchema: null };

/** Tools are the first paragraph of a message. */
const behindTools = '\n\n';
