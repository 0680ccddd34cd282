/** What the model is told when it goes in circles. */
import type { Language } from '../core/language.ts';

export function loopWarning(language: Language): string {
  return language === 'zh'
    ? '[LoopGuard] 你在重复同样的步骤并得到同样的结果。继续重复会使运行结束。请改变输入、换一个工具，或根据已知信息给出答案。'
    : '[LoopGuard] You are repeating the same step with the same result. If it goes on, the run ends. Change the input, use another tool, or give the answer from what is known.';
}
