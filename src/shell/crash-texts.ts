/** What the model is told of what ended its process each time, in both languages. Apart from other texts: few runs need it. */
import type { Language } from '../core/language.ts';

interface CrashTexts {
  /** Why something could not be checked; stands in brackets. */
  readonly ended: string;
  /** Of a call that had started. */
  lostRead(tool: string): string;
  lostEffect(tool: string): string;
}

export const crashTexts: { readonly [language in Language]: CrashTexts } = {
  en: {
    ended: 'the process ended each time',
    lostRead: (tool) =>
      `[ToolError] ${tool} gave no result: the process ended each time that it ran. Change the input, try another tool, or answer with what is known.`,
    lostEffect: (tool) =>
      `[ToolError] ${tool} gave no result: the process ended each time that it ran. It may have taken effect; nobody knows. Do not call it with this input again. Find out with another tool, or say so in the answer.`,
  },
  zh: {
    ended: '进程每次都终止了',
    lostRead: (tool) =>
      `[ToolError] ${tool} 没有结果：每次执行时进程都终止了。请改变输入、换一个工具，或根据已知信息回答。`,
    lostEffect: (tool) =>
      `[ToolError] ${tool} 没有结果：每次执行时进程都终止了，可能已经生效，无法确定。不要再用这个输入调用它。请用其他工具确认，或在答案中说明。`,
  },
};
