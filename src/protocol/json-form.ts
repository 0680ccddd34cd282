/** How the dialect `json` writes a step: one JSON object. Pure. */
import type { Form } from './form.ts';

export const jsonForm: Form = Object.freeze<Form>({
  rule: Object.freeze({
    en: 'Write one JSON object with "thought", "action" (a tool\'s name) and "action_input" (an object); to answer, use the action "final_answer".',
    zh: '只写一个 JSON 对象，含 "thought"、"action"（工具名）和 "action_input"（一个对象）；要作答时，action 用 "final_answer"。',
  }),
  call: (thought, tool, input) => JSON.stringify({ thought, action: tool, action_input: input }),
  answer: (thought, answer) => JSON.stringify({ thought, action: 'final_answer', action_input: answer }),
});
