/** What the loop says in Chinese, as one file that Node loads and bundles for the edge leave out (`imports`). */
export { chinese } from './dispatch/chinese-messages.ts';
export { chineseExamples } from './protocol/chinese-examples.ts';
export { chineseTexts } from './protocol/chinese-texts.ts';
