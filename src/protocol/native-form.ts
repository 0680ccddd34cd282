/**
 * How the dialect `native` shows a step in a hint. The provider's own calls have no text; in this one most models and
 * servers know a call, and so do we where it comes back as text. Pure.
 */

import { chineseTexts } from './chinese-texts.ts';
import type { Form } from './form.ts';

const rule = 'Call a tool with a tool call, or write the answer as plain text.';

export const nativeForm: Form = Object.freeze<Form>({
  rule: Object.freeze({ en: rule, zh: chineseTexts?.rules.native ?? rule }),
  call: (thought, tool, input) =>
    `${thought}\n<tool_call>${JSON.stringify({ name: tool, arguments: input })}</tool_call>`,
  answer: (_thought, answer) => answer,
});
