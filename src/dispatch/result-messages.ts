/** What the model is told of a result: that it is empty, doubtful, of the wrong form, cut, or an error; and what to do. */

import type { Doubt } from '../core/doubt.ts';
import type { Language } from '../core/language.ts';
import { createRedactor, type Redactor } from '../core/redact.ts';
import { englishValues, type ValueWords } from '../core/value-words.ts';
import { type AdviceKind, adviceIn } from './advice.ts';
import { sentence } from './brief.ts';

/** `again`: whether the call may be made again with the same input; otherwise it perhaps took effect. */
export interface ResultMessages {
  badOutput(tool: string, problems: readonly string[], again: boolean): string;
  outputNotChecked(tool: string, why: string, again: boolean): string;
  /** `why` is null where the check only said no. */
  notAccepted(tool: string, why: string | null, again: boolean): string;
  tooManyValues(tool: string, most: number, again: boolean): string;
  /** `advice` is what to do about this kind of error. */
  thrown(tool: string, message: string, advice: string | null): string;
  /** What to do about an error of a kind that is known. */
  advice(kind: AdviceKind): string;
  /** Stands before a text that the tool returned. */
  doubtful(doubt: Doubt): string;
  /** The tool returned nothing at all. */
  readonly empty: string;
  /** What it returned holds nothing. */
  readonly foundNothing: string;
  cut(shown: number, whole: number): string;
  readonly values: ValueWords;
  /** For whatever a text quotes, before it is cut. */
  readonly redactor: Redactor;
}

/** The same words, without the secrets of an agent. */
export function hiding<Words extends ResultMessages>(words: Words, redactor: Redactor): Words {
  return { ...words, redactor, values: { ...words.values, hide: redactor.text } };
}

const english: ResultMessages = {
  badOutput: (tool, problems, again) =>
    `[ToolError] ${tool} ran, but its result cannot be used: ${sentence(problems.join('; '))} ${after(tool, again)}`,
  outputNotChecked: (tool, why, again) =>
    `[ToolError] ${tool} ran, but its result could not be checked (${why}) and is not shown. ${after(tool, again)}`,
  notAccepted: (tool, why, again) =>
    `[ToolError] ${tool} ran, but its result was not accepted${why === null ? '.' : `: ${why}`} ${after(tool, again)}`,
  tooManyValues: (tool, most, again) =>
    `[ToolError] ${tool} was left: it gave more than ${most} values without an end. ${after(tool, again)}`,
  thrown: (tool, message, advice) =>
    `[ToolError] ${tool} failed: ${message} ${
      advice === null
        ? 'Correct the input, try another tool, or answer with what is known.'
        : `${advice} Otherwise try another tool, or answer with what is known.`
    }`,
  advice: (kind) => adviceIn('en', kind),
  doubtful: (doubt) =>
    `(The tool returned, but this looks like ${englishDoubts[doubt]}: it may have failed. Do not take it for data. Check the input, or try another tool.)`,
  empty: '(The tool succeeded and returned nothing.)',
  foundNothing: '(The tool succeeded and found nothing.)',
  cut: (shown, whole) => `… [truncated: ${whole - shown} of ${whole} characters are not shown here] …`,
  values: englishValues,
  redactor: createRedactor([]),
};

function after(tool: string, again: boolean): string {
  return again
    ? 'Change the input, try another tool, or answer with what is known.'
    : `${tool} may have taken effect; it will not be run again with this input. Find out with another tool, or say so in the answer.`;
}

const englishDoubts = {
  page: 'an error page',
  trace: 'a stack trace',
  object: 'an error report',
  text: 'an error message',
} as const satisfies { readonly [doubt in Doubt]: string };

const chinese: ResultMessages = {
  badOutput: (tool, problems, again) =>
    `[ToolError] ${tool} 已执行，但结果无法使用：${problems.join('；')}。${afterwards(tool, again)}`,
  outputNotChecked: (tool, why, again) =>
    `[ToolError] ${tool} 已执行，但无法检查其结果（${why}），因此不显示。${afterwards(tool, again)}`,
  notAccepted: (tool, why, again) =>
    `[ToolError] ${tool} 已执行，但结果未被接受${why === null ? '。' : `：${why} `}${afterwards(tool, again)}`,
  tooManyValues: (tool, most, again) =>
    `[ToolError] 已放弃 ${tool}：它给出了超过 ${most} 个值而没有结束。${afterwards(tool, again)}`,
  thrown: (tool, message, advice) =>
    `[ToolError] ${tool} 失败：${message} ${
      advice === null
        ? '请改正输入、换一个工具，或根据已知信息回答。'
        : `${advice}否则请换一个工具，或根据已知信息回答。`
    }`,
  advice: (kind) => adviceIn('zh', kind),
  doubtful: (doubt) =>
    `（工具已返回，但内容看起来是${chineseDoubts[doubt]}：可能已经失败。不要把它当作数据。请检查输入，或换一个工具。）`,
  empty: '（工具执行成功，没有返回内容。）',
  foundNothing: '（工具执行成功，没有找到任何内容。）',
  cut: (shown, whole) => `… [已截断：共 ${whole} 个字符，其中 ${whole - shown} 个未显示] …`,
  values: {
    circular: '（循环引用）',
    tooDeep: '（已截断：嵌套过深，无法显示）',
    tooMuch: '（内容过多，无法显示）',
    notShown: '（无法显示）',
    invalidDate: '（无效日期）',
    callable: '（函数）',
    more: (count) => `（还有 ${count} 项）`,
    moreCharacters: (count) => `（还有 ${count} 个字符）`,
    binary: (kind, bytes) => `（${bytes} 字节的二进制数据：${kind}）`,
    unread: (kind) => `（${kind}：内容未读取；工具应先读取，再返回文本或 JSON）`,
    bare: (kind) => `（${kind}：没有可显示的内容）`,
  },
  redactor: english.redactor,
};

function afterwards(tool: string, again: boolean): string {
  return again
    ? '请改变输入、换一个工具，或根据已知信息回答。'
    : `${tool} 可能已经生效；不会再用这个输入执行它。请用其他工具确认，或在答案中说明。`;
}

const chineseDoubts = {
  page: '错误页面',
  trace: '堆栈跟踪',
  object: '错误报告',
  text: '错误信息',
} as const satisfies { readonly [doubt in Doubt]: string };

export function resultMessagesIn(language: Language): ResultMessages {
  return language === 'zh' ? chinese : english;
}
