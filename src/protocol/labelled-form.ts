/** How the dialect `labelled` writes a step. Labels are English in every language: one form, whatever the prose. Pure. */

import { chineseTexts } from './chinese-texts.ts';
import type { Form } from './form.ts';

const rule = 'Write "Thought:" first, then either "Action:" with "Action Input:" (a JSON object), or "Final Answer:".';

export const labelledForm: Form = Object.freeze<Form>({
  rule: Object.freeze({ en: rule, zh: chineseTexts?.rules.labelled ?? rule }),
  call: (thought, tool, input) => `Thought: ${thought}\nAction: ${tool}\nAction Input: ${JSON.stringify(input)}`,
  answer: (thought, answer) => `Thought: ${thought}\nFinal Answer: ${answer}`,
});
