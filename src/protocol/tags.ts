/**
 * The dialect `tags`: `<thought>`, `<tool_call>{…}</tool_call>`, `<answer>`, and the tags that recorded agents wrote
 * (MINT, arXiv 2309.10691: `<execute>`, `<solution>`; WebDancer, arXiv 2505.22648; Mini-AGI: `<r>`, `<c>`). Pure.
 */
import type { ShippedDialect } from './dialect.ts';
import { neutralise } from './neutralise.ts';
import { writeObservations } from './observation.ts';
import { en, zh } from './phrases.ts';
import { teach } from './prompt.ts';
import { tagsForm } from './tags-form.ts';
import { type NameTable, nameTable, type TagNames } from './tags-names.ts';
import { createTagsScanner } from './tags-scanner.ts';

/**
 * A dialect of tags with names of your own; what is not named keeps its default names, which read all common ones.
 * Throws `invalid_option` for a name that no tag can have, or that stands for two things.
 */
export function tags(names: TagNames = {}): ShippedDialect {
  const table = nameTable(names);
  const form = tagsForm(table);
  const shape = shapeOf(table);
  return Object.freeze<ShippedDialect>({
    name: 'tags',
    serverStops: Object.freeze(['\nObservation:', '\n观察:', '\n观察：', '\n<tool_response>']),
    form,
    instructions: (options) => teach({ form, shape }, options),
    scanner: (options) => createTagsScanner({ names: table, form, ...options }),
    asData: (text) => neutralise(text, table),
    writeObservation: writeObservations,
  });
}

function shapeOf({ taught: { thought, call, answer } }: NameTable) {
  return {
    en: [
      en.form,
      '',
      `<${thought}>${en.known}</${thought}>`,
      `<${call}>{"name": "${en.name}", "arguments": {}}</${call}>`,
      '',
      `"arguments" holds the input of the tool. Stop right after </${call}>. ${en.sent} One <${call}> a reply, and every tag closed.`,
      '',
      en.instead,
      '',
      `<${thought}>${en.done}</${thought}>`,
      `<${answer}>${en.answer}</${answer}>`,
    ].join('\n'),
    zh: [
      zh.form,
      '',
      `<${thought}>${zh.known}</${thought}>`,
      `<${call}>{"name": "一个工具的名字，与上面列出的完全一致", "arguments": {}}</${call}>`,
      '',
      `"arguments" 是工具的输入。写完 </${call}> 就停下。${zh.sent}每次回复只写一个 <${call}>，每个标签都要闭合。`,
      '',
      zh.instead,
      '',
      `<${thought}>${zh.done}</${thought}>`,
      `<${answer}>${zh.answer}</${answer}>`,
    ].join('\n'),
  };
}
