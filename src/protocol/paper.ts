/**
 * The dialect `paper`: `Thought 1: …`, `Action 1: Search[x]`, `Finish[x]`, the form of ReAct (arXiv 2210.03629) itself and
 * of the environments built on it. `Finish` is always the answer: a tool of that name cannot be called here. Pure.
 */
import type { ShippedDialect } from './dialect.ts';
import { writeObservations } from './observation.ts';
import { paperForm } from './paper-form.ts';
import { createPaperScanner } from './paper-scanner.ts';
import { teach } from './prompt.ts';

const shape = {
  en: [
    'Write every reply in this form:',
    '',
    'Thought: what you know, and what to do next',
    'Action: tool[input]',
    '',
    '"tool" is the name of one tool, exactly as listed. The brackets hold its input: one JSON object, or plain text where the tool takes text. Stop right after the closing bracket. The result is then sent to you as "Observation: …"; never write an Observation yourself. One action a reply.',
    '',
    'When you know the answer, write instead:',
    '',
    'Thought: why the task is done',
    'Action: Finish[the answer, complete, for the person who asked]',
  ].join('\n'),
  zh: [
    '每次回复都按这个格式来写，标签保持英文：',
    '',
    'Thought: 你知道什么，接下来做什么',
    'Action: 工具名[输入]',
    '',
    '工具名与上面列出的完全一致。方括号里是它的输入：一个 JSON 对象；工具接受文本时，直接写文本。写完右括号就停下。结果会以 "Observation: …" 发给你；绝不要自己写 Observation。每次回复只写一个 Action。',
    '',
    '知道答案以后，改写成：',
    '',
    'Thought: 为什么任务已经完成',
    'Action: Finish[给提问者的完整答案]',
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
