/** The dialect `json`: one JSON object a turn, bare or fenced. Pure. */
import type { ShippedDialect } from './dialect.ts';
import { jsonForm } from './json-form.ts';
import { createJsonScanner } from './json-scanner.ts';
import { writeObservations } from './observation.ts';
import { en, zh } from './phrases.ts';
import { teach } from './prompt.ts';

const shape = {
  en: [
    'Write every reply as one JSON object and nothing else:',
    '',
    `{"thought": "${en.known}", "action": "${en.name}", "action_input": {}}`,
    '',
    `"action_input" holds the input of the tool. Stop right after the object. ${en.sent} One object a reply.`,
    '',
    en.instead,
    '',
    `{"thought": "${en.done}", "action": "final_answer", "action_input": "${en.answer}"}`,
  ].join('\n'),
  zh: [
    '每次回复只写一个 JSON 对象，不写别的：',
    '',
    `{"thought": "${zh.known}", "action": "一个工具的名字，与上面列出的完全一致", "action_input": {}}`,
    '',
    `"action_input" 是工具的输入。写完这个对象就停下。${zh.sent}每次回复只写一个对象。`,
    '',
    zh.instead,
    '',
    `{"thought": "${zh.done}", "action": "final_answer", "action_input": "${zh.answer}"}`,
  ].join('\n'),
};

export const json: ShippedDialect = Object.freeze<ShippedDialect>({
  name: 'json',
  form: jsonForm,
  serverStops: Object.freeze(['\nObservation:', '\n观察:', '\n观察：']),
  instructions: (options) => teach({ form: jsonForm, shape }, options),
  scanner: createJsonScanner,
  writeObservation: writeObservations,
});
