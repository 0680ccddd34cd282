/** What the model is told when it gets no further. */
import type { Language } from '../core/language.ts';

export function loopWarning(language: Language): string {
  return language === 'zh'
    ? '[LoopGuard] 你在重复同样的步骤并得到同样的结果。继续重复会使运行结束。请改变输入、换一个工具，或根据已知信息给出答案。'
    : '[LoopGuard] You are repeating the same step with the same result. If it goes on, the run ends. Change the input, use another tool, or give the answer from what is known.';
}

/** Results in a row that hold nothing: from here on the model is advised. */
export const manyEmpty = 3;

export function emptyWarning(inRow: number, language: Language): string {
  return language === 'zh'
    ? `[LoopGuard] 最近 ${inRow} 次结果都没有内容。请改变做法：换用其他词语、扩大范围或换一个工具；或者回答没有找到。`
    : `[LoopGuard] The last ${inRow} results held nothing. Change the approach: other words, a wider range or another tool; or answer that nothing was found.`;
}
