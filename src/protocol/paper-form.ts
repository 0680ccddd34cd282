/** How the dialect `paper` writes a step: the call in brackets behind its label, without numbers. Pure. */
import type { Form } from './form.ts';

export const paperForm: Form = Object.freeze<Form>({
  rule: Object.freeze({
    en: 'Write "Thought:" first, then "Action:" with the tool\'s name and its input in brackets, or "Action: Finish[the answer]".',
    zh: '先写 "Thought:"，然后写 "Action:"，后面是工具名和方括号里的输入；要作答时写 "Action: Finish[答案]"。',
  }),
  call: (thought, tool, input) => `Thought: ${thought}\nAction: ${tool}[${JSON.stringify(input)}]`,
  answer: (thought, answer) => `Thought: ${thought}\nAction: Finish[${answer}]`,
});
