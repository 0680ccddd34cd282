/** How the dialect `json` writes a step: one JSON object. Pure. */

import { chineseTexts } from './chinese-texts.ts';
import type { Form } from './form.ts';

const rule =
  'Write one JSON object with "thought", "action" (a tool\'s name) and "action_input" (an object); to answer, use the action "final_answer".';

export const jsonForm: Form = Object.freeze<Form>({
  rule: Object.freeze({ en: rule, zh: chineseTexts?.rules.json ?? rule }),
  call: (thought, tool, input) => JSON.stringify({ thought, action: tool, action_input: input }),
  answer: (thought, answer) => JSON.stringify({ thought, action: 'final_answer', action_input: answer }),
});
