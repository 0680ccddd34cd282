/** How the dialect `paper` writes a step: the call in brackets behind its label, without numbers. Pure. */

import { chineseTexts } from './chinese-texts.ts';
import type { Form } from './form.ts';

const rule =
  'Write "Thought:" first, then "Action:" with the tool\'s name and its input in brackets, or "Action: Finish[the answer]".';

export const paperForm: Form = Object.freeze<Form>({
  rule: Object.freeze({ en: rule, zh: chineseTexts?.rules.paper ?? rule }),
  call: (thought, tool, input) => `Thought: ${thought}\nAction: ${tool}[${JSON.stringify(input)}]`,
  answer: (thought, answer) => `Thought: ${thought}\nAction: Finish[${answer}]`,
});
