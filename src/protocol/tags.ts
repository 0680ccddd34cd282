/**
 * The dialect `tags`: `<thought>`, `<tool_call>{…}</tool_call>`, `<answer>`, and the tags that recorded agents wrote
 * (MINT, arXiv 2309.10691: `<execute>`, `<solution>`; WebDancer, arXiv 2505.22648; Mini-AGI: `<r>`, `<c>`). Pure.
 */
import type { Texts } from '../core/language.ts';
import { chineseTexts } from './chinese-texts.ts';
import type { ShippedDialect } from './dialect.ts';
import { neutralise } from './neutralise.ts';
import { writeObservations } from './observation.ts';
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

function shapeOf({ taught: { thought, call, answer } }: NameTable): Texts {
  return {
    en: [
      'Write every reply in this form:',
      '',
      `<${thought}>what you know, and what to do next</${thought}>`,
      `<${call}>{"name": "the name of one tool, exactly as listed", "arguments": {}}</${call}>`,
      '',
      `"arguments" holds the input of the tool. Stop right after </${call}>. The result is then sent to you as "Observation: …"; never write an Observation yourself. One <${call}> a reply, and every tag closed.`,
      '',
      'When you know the answer, write instead:',
      '',
      `<${thought}>why the task is done</${thought}>`,
      `<${answer}>the answer, complete, for the person who asked</${answer}>`,
    ].join('\n'),
    zh: chineseTexts?.tags({ thought, call, answer }),
  };
}

/** With the default names. Null in bundles for the edge that do not ask for it. */
export const defaultTags: ShippedDialect | null = /* @__PURE__ */ tags();
