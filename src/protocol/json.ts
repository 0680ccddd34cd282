/** The dialect `json`: one JSON object a turn, bare or fenced. Pure. */
import type { ShippedDialect } from './dialect.ts';
import { jsonForm } from './json-form.ts';
import { createJsonScanner } from './json-scanner.ts';
import { writeObservations } from './observation.ts';
import { teach } from './prompt.ts';

const shape = {
  en: [
    'Write every reply as one JSON object and nothing else:',
    '',
    '{"thought": "what you know, and what to do next", "action": "the name of one tool, exactly as listed", "action_input": {}}',
    '',
    '"action_input" holds the input of the tool. Stop right after the object. The result is then sent to you as "Observation: …"; never write an Observation yourself. One object a reply.',
    '',
    'When you know the answer, write instead:',
    '',
    '{"thought": "why the task is done", "action": "final_answer", "action_input": "the answer, complete, for the person who asked"}',
  ].join('\n'),
  zh: [
    '每次回复只写一个 JSON 对象，不写别的：',
    '',
    '{"thought": "你知道什么，接下来做什么", "action": "一个工具的名字，与上面列出的完全一致", "action_input": {}}',
    '',
    '"action_input" 是工具的输入。写完这个对象就停下。结果会以 "Observation: …" 发给你；绝不要自己写 Observation。每次回复只写一个对象。',
    '',
    '知道答案以后，改写成：',
    '',
    '{"thought": "为什么任务已经完成", "action": "final_answer", "action_input": "给提问者的完整答案"}',
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
