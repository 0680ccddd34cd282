/** How the dialect `native` speaks of a step in a hint: the provider's own calls have no text. Pure. */
import type { Form } from './form.ts';

export const nativeForm: Form = Object.freeze<Form>({
  rule: Object.freeze({
    en: 'Call a tool with a tool call, or write the answer as plain text.',
    zh: '要么用工具调用来调用一个工具，要么把答案直接写成文本。',
  }),
  call: (thought, tool, input) => `${thought} [tool call: ${tool} ${JSON.stringify(input)}]`,
  answer: (_thought, answer) => answer,
});
