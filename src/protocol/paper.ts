/**
 * The dialect `paper`: `Thought 1: …`, `Action 1: Search[x]`, `Finish[x]`, the form of ReAct (arXiv 2210.03629) itself and
 * of the environments built on it. `Finish` is always the answer: a tool of that name cannot be called here. Pure.
 */
import type { ShippedDialect } from './dialect.ts';
import { writeObservations } from './observation.ts';
import { paperForm } from './paper-form.ts';
import { createPaperScanner } from './paper-scanner.ts';
import { en, zh } from './phrases.ts';
import { teach } from './prompt.ts';

const shape = {
  en: [
    en.form,
    '',
    `Thought: ${en.known}`,
    'Action: tool[input]',
    '',
    `"tool" is ${en.name}. The brackets hold its input: one JSON object, or plain text where the tool takes text. Stop right after the closing bracket. ${en.sent} One action a reply.`,
    '',
    en.instead,
    '',
    `Thought: ${en.done}`,
    `Action: Finish[${en.answer}]`,
  ].join('\n'),
  zh: [
    zh.form,
    '',
    `Thought: ${zh.known}`,
    'Action: 工具名[输入]',
    '',
    `工具名与上面列出的完全一致。方括号里是它的输入：一个 JSON 对象；工具接受文本时，直接写文本。写完右括号就停下。${zh.sent}每次回复只写一个 Action。`,
    '',
    zh.instead,
    '',
    `Thought: ${zh.done}`,
    `Action: Finish[${zh.answer}]`,
  ].join('\n'),
};

export const paper: ShippedDialect = Object.freeze<ShippedDialect>({
  name: 'paper',
  form: paperForm,
  serverStops: Object.freeze(['\nObservation:', '\n观察:', '\n观察：']),
  instructions: (options) => teach({ form: paperForm, shape }, options),
  scanner: createPaperScanner,
  writeObservation: writeObservations,
});
