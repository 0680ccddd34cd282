/** How the dialect `labelled` writes a step. Labels are English in every language: one form, whatever the prose. Pure. */
import type { Form } from './form.ts';

export const labelledForm: Form = Object.freeze<Form>({
  rule: Object.freeze({
    en: 'Write "Thought:" first, then either "Action:" with "Action Input:" (a JSON object), or "Final Answer:".',
    zh: '先写 "Thought:"，然后要么写 "Action:" 和 "Action Input:"（一个 JSON 对象），要么写 "Final Answer:"。',
  }),
  call: (thought, tool, input) => `Thought: ${thought}\nAction: ${tool}\nAction Input: ${JSON.stringify(input)}`,
  answer: (thought, answer) => `Thought: ${thought}\nFinal Answer: ${answer}`,
});
