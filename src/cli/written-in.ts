/** In which dialect and language a stored run is written: those whose system message is its own, word for word. Pure. */
import type { Language } from '../core/language.ts';
import { defaults } from '../core/limits.ts';
import type { ToolRecord } from '../core/tool.ts';
import { compileTools, describeTool } from '../dispatch/toolbox.ts';
import { systemMessage } from '../protocol/prompt.ts';
import { dialectNamed, dialectNames } from '../protocol/read.ts';

export interface WrittenIn {
  readonly dialect: string;
  readonly language: Language;
}

const languages: readonly Language[] = ['en', 'zh'];

/** Null where it is none of ours with these tools: they were changed since, or the message held a secret. */
export function writtenIn(system: string, tools: ToolRecord): WrittenIn | null {
  const descriptions = [...compileTools(tools, defaults.timeouts.toolMs).values()].map(describeTool);
  for (const dialect of dialectNames)
    for (const language of languages) {
      const own = systemMessage(dialectNamed(dialect), { tools: descriptions, language, examples: true });
      if (own === system) return { dialect, language };
    }
  return null;
}
