/**
 * The dialect `labelled`: Thought / Action / Action Input / Observation / Final Answer, read in English or Chinese labels
 * (ReAct, arXiv 2210.03629, in the form that LangChain and its successors gave it). Pure.
 */
import type { ShippedDialect } from './dialect.ts';
import { labelledForm } from './labelled-form.ts';
import { createLabelledScanner } from './labelled-scanner.ts';
import { writeObservations } from './observation.ts';
import { en, zh } from './phrases.ts';
import { teach } from './prompt.ts';

const shape = {
  en: [
    en.form,
    '',
    `Thought: ${en.known}`,
    `Action: ${en.name}`,
    'Action Input: its input, as one JSON object',
    '',
    `Stop right after the Action Input. ${en.sent} One action a reply.`,
    '',
    en.instead,
    '',
    `Thought: ${en.done}`,
    `Final Answer: ${en.answer}`,
  ].join('\n'),
  zh: [
    zh.form,
    '',
    `Thought: ${zh.known}`,
    'Action: 一个工具的名字，与上面列出的完全一致',
    'Action Input: 它的输入，一个 JSON 对象',
    '',
    `写完 Action Input 就停下。${zh.sent}每次回复只写一个 Action。`,
    '',
    zh.instead,
    '',
    `Thought: ${zh.done}`,
    `Final Answer: ${zh.answer}`,
  ].join('\n'),
};

export const labelled: ShippedDialect = Object.freeze<ShippedDialect>({
  name: 'labelled',
  form: labelledForm,
  serverStops: Object.freeze(['\nObservation:', '\n观察:', '\n观察：']),
  instructions: (options) => teach({ form: labelledForm, shape }, options),
  // What is spread stands last in literals that are made for each reply: keys behind it cost a microsecond each.
  scanner: (options) => createLabelledScanner({ form: labelledForm, shown: options.tools, ruled: false, ...options }),
  writeObservation: writeObservations,
});
