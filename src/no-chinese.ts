/** Stands in for `chinese.ts` in bundles for the edge that do not ask for it. */
export const chinese = null;
export const chineseExamples = null;
export const chineseTexts = null;
