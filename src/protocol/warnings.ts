/** What the model is told when it gets no further. */
import { inLanguage, type Language } from '../core/language.ts';
import { chineseTexts } from './chinese-texts.ts';

export function loopWarning(language: Language): string {
  const english =
    '[LoopGuard] You are repeating the same step with the same result. If it goes on, the run ends. Change the input, use another tool, or give the answer from what is known.';
  return inLanguage({ en: english, zh: chineseTexts?.loopWarning }, language);
}

/** Results in a row that hold nothing: from here on the model is advised. */
export const manyEmpty = 3;

export function emptyWarning(inRow: number, language: Language): string {
  const english = `[LoopGuard] The last ${inRow} results held nothing. Change the approach: other words, a wider range or another tool; or answer that nothing was found.`;
  return inLanguage({ en: english, zh: chineseTexts?.emptyWarning(inRow) }, language);
}
