/**
 * The dialect `labelled`: Thought / Action / Action Input / Observation / Final Answer, read in English or Chinese labels
 * (ReAct, arXiv 2210.03629, in the form that LangChain and its successors gave it). Pure.
 */
import type { ShippedDialect } from './dialect.ts';
import { labelledForm } from './labelled-form.ts';
import { createLabelledScanner } from './labelled-scanner.ts';
import { writeObservations } from './observation.ts';
import { teach } from './prompt.ts';

const shape = {
  en: [
    'Write every reply in this form:',
    '',
    'Thought: what you know, and what to do next',
    'Action: the name of one tool, exactly as listed',
    'Action Input: its input, as one JSON object',
    '',
    'Stop right after the Action Input. The result is then sent to you as "Observation: …"; never write an Observation yourself. One action a reply.',
    '',
    'When you know the answer, write instead:',
    '',
    'Thought: why the task is done',
    'Final Answer: the answer, complete, for the person who asked',
  ].join('\n'),
  zh: [
    '每次回复都按这个格式来写，标签保持英文：',
    '',
    'Thought: 你知道什么，接下来做什么',
    'Action: 一个工具的名字，与上面列出的完全一致',
    'Action Input: 它的输入，一个 JSON 对象',
    '',
    '写完 Action Input 就停下。结果会以 "Observation: …" 发给你；绝不要自己写 Observation。每次回复只写一个 Action。',
    '',
    '知道答案以后，改写成：',
    '',
    'Thought: 为什么任务已经完成',
    'Final Answer: 给提问者的完整答案',
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
