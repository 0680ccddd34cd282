/**
 * How the dialect `native` shows a step in a hint. The provider's own calls have no text; in this one most models and
 * servers know a call, and so do we where it comes back as text. Pure.
 */
import type { Form } from './form.ts';

export const nativeForm: Form = Object.freeze<Form>({
  rule: Object.freeze({
    en: 'Call a tool with a tool call, or write the answer as plain text.',
    zh: '要么用工具调用来调用一个工具，要么把答案直接写成文本。',
  }),
  call: (thought, tool, input) =>
    `${thought}\n<tool_call>${JSON.stringify({ name: tool, arguments: input })}</tool_call>`,
  answer: (_thought, answer) => answer,
});
