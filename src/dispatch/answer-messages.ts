/** What the model is told of an answer that does not count: what is missing or wrong with it, and what to do. */
import type { Language } from '../core/language.ts';
import { sentence } from './brief.ts';

export interface AnswerMessages {
  /** Of a call of a tool that ends the run. */
  endNeeds(tool: string, missing: readonly string[]): string;
  answerNeeds(missing: readonly string[]): string;
  badAnswer(problems: readonly string[], expected: string | null): string;
  unreadableAnswer(expected: string | null): string;
  answerNotChecked(why: string): string;
  readonly answerNotAccepted: string;
}

const english: AnswerMessages = {
  endNeeds: (tool, missing) =>
    `[ToolError] ${tool} was not run: it ends the run, and ${missing.join(', ')} must succeed before. Call ${missing[0]} first.`,
  answerNeeds: (missing) =>
    `The answer does not count yet: ${missing.join(', ')} must succeed before. Call ${missing[0]} first, then answer.`,
  badAnswer: (problems, expected) =>
    `The answer does not have the form that is asked for: ${sentence(problems.join('; '))}${expectedText(expected)} Write the answer again in this form.`,
  unreadableAnswer: (expected) =>
    `The answer was begun as JSON and cannot be read: it is cut, broken, or more than one value.${expectedText(expected)} Write one whole JSON value, and nothing else.`,
  answerNotChecked: (why) => `The answer could not be checked: ${sentence(why)} Write it again.`,
  answerNotAccepted: 'The answer was not accepted. Check it against what was asked and observed, and write it again.',
};

function expectedText(expected: string | null): string {
  return expected === null ? '' : ` Expected: ${expected}.`;
}

const chinese: AnswerMessages = {
  endNeeds: (tool, missing) =>
    `[ToolError] 没有执行 ${tool}：它会结束运行，而在此之前 ${missing.join('、')} 必须成功。请先调用 ${missing[0]}。`,
  answerNeeds: (missing) =>
    `这个答案还不算数：在此之前 ${missing.join('、')} 必须成功。请先调用 ${missing[0]}，再作答。`,
  badAnswer: (problems, expected) =>
    `答案不符合要求的格式：${problems.join('；')}。${expectedZh(expected)}请按这个格式重写答案。`,
  unreadableAnswer: (expected) =>
    `答案以 JSON 开头，但无法读取：它不完整、有错误，或者不止一个值。${expectedZh(expected)}请只写一个完整的 JSON 值。`,
  answerNotChecked: (why) => `无法检查答案：${why}。请重写。`,
  answerNotAccepted: '答案没有被接受。请对照任务和观察结果检查后重写。',
};

function expectedZh(expected: string | null): string {
  return expected === null ? '' : `应为：${expected} `;
}

export function answerMessagesIn(language: Language): AnswerMessages {
  return language === 'zh' ? chinese : english;
}
