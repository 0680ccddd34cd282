/**
 * The dialect `tags`: `<thought>`, `<tool_call>{…}</tool_call>`, `<answer>`, and the tags that recorded agents wrote
 * (MINT, arXiv 2309.10691: `<execute>`, `<solution>`; WebDancer, arXiv 2505.22648; Mini-AGI: `<r>`, `<c>`). Pure.
 */
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

function shapeOf({ taught: { thought, call, answer } }: NameTable) {
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
    zh: [
      '每次回复都按这个格式来写，标签保持英文：',
      '',
      `<${thought}>你知道什么，接下来做什么</${thought}>`,
      `<${call}>{"name": "一个工具的名字，与上面列出的完全一致", "arguments": {}}</${call}>`,
      '',
      `"arguments" 是工具的输入。写完 </${call}> 就停下。结果会以 "Observation: …" 发给你；绝不要自己写 Observation。每次回复只写一个 <${call}>，每个标签都要闭合。`,
      '',
      '知道答案以后，改写成：',
      '',
      `<${thought}>为什么任务已经完成</${thought}>`,
      `<${answer}>给提问者的完整答案</${answer}>`,
    ].join('\n'),
  };
}
