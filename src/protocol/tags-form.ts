/** How the dialect `tags` writes a step. Pure. */
import type { Language } from './dialect.ts';
import type { Form } from './form.ts';
import type { Sentence } from './hints.ts';
import type { NameTable } from './tags-names.ts';

export function tagsForm({ taught: { thought, call, answer } }: NameTable): Form {
  return Object.freeze<Form>({
    rule: Object.freeze({
      en: `Write <${thought}>…</${thought}> first, then either <${call}>{"name": …, "arguments": {…}}</${call}>, or <${answer}>…</${answer}>; close every tag.`,
      zh: `先写 <${thought}>…</${thought}>，然后要么写 <${call}>{"name": …, "arguments": {…}}</${call}>，要么写 <${answer}>…</${answer}>；每个标签都要闭合。`,
    }),
    call: (text, tool, input) =>
      `<${thought}>${text}</${thought}>\n<${call}>${JSON.stringify({ name: tool, arguments: input })}</${call}>`,
    answer: (text, answered) => `<${thought}>${text}</${thought}>\n<${answer}>${answered}</${answer}>`,
  });
}

/** What a hint says first about a tag that was never closed. */
export function unclosedText(name: string): Readonly<Record<Language, Sentence>> {
  return {
    en: (_tool, seen) =>
      `The tag <${name}> was not closed with </${name}>, so what stands in it does not count; it began with ${seen}.`,
    zh: (_tool, seen) => `标签 <${name}> 没有用 </${name}> 闭合，所以其中的内容无效；开头是 ${seen}。`,
  };
}
