/**
 * What the model is told when a call did not do what it wanted. Every text is a prompt: what happened, what is allowed,
 * what to do next.
 */
import type { Language } from '../core/language.ts';
import { sentence } from './brief.ts';
import { type ResultMessages, resultMessagesIn } from './result-messages.ts';

/** Where `tool` may be empty, an empty one stands for the answer. */
export interface Messages extends ResultMessages {
  unknownTool(name: string, nearest: string | null, known: readonly string[]): string;
  badInput(tool: string, problems: readonly string[], example: string | null): string;
  checkFailed(tool: string, why: string): string;
  /** Of the answer, and of a call that would end the run. */
  needs(tool: string, missing: readonly string[]): string;
  /** What is wrong with an answer that was begun as JSON. */
  readonly brokenJson: string;
  /** The check only said no. */
  readonly answerRefused: string;
  done(tool: string, callId: string): string;
  perhapsDone(tool: string, callId: string): string;
  twice(tool: string, callId: string): string;
  askAgain(callId: string, status: 'succeeded' | 'unknown'): string;
  callLimit(tool: string, limit: number): string;
  rateLimit(tool: string, waitMs: number): string;
  notAllowed(tool: string, allowed: readonly string[]): string;
  dryRun(tool: string, input: string): string;
  denied(tool: string, why: string, others: readonly string[]): string;
  noAnswer(tool: string): string;
  timedOut(tool: string, limitMs: number): string;
  timedOutUnknown(tool: string, limitMs: number): string;
  interrupted(tool: string): string;
  /** Stands behind what is told of a call that failed each time. */
  tried(times: number): string;
}

const english: Messages = {
  ...resultMessagesIn('en'),
  unknownTool: (name, nearest, known) =>
    `[ToolError] There is no tool called "${name}".${nearest === null ? '' : ` Did you mean "${nearest}"?`} ${
      known.length === 0 ? 'There are no tools: answer without one.' : `The tools are: ${known.join(', ')}.`
    }`,
  badInput: (tool, problems, example) =>
    `${inputOf(tool)} cannot be used: ${sentence(problems.join('; '))}${example === null ? '' : ` Expected: ${example}.`} ${tool === '' ? 'Write it again in the form that is asked for.' : 'Write the call again with a corrected input.'}`,
  checkFailed: (tool, why) =>
    `${inputOf(tool)} could not be checked (${why}). ${tool === '' ? 'Write it again.' : 'It was not run. Try another tool or answer with what is known.'}`,
  needs: (tool, missing) =>
    `${tool === '' ? 'The answer does not count yet' : `[ToolError] ${tool} was not run`}: ${missing.join(', ')} must succeed before. Call ${missing[0]} first.`,
  brokenJson: 'its JSON is cut, broken, or more than one value',
  answerRefused: 'The answer was not accepted. Check it, and write it again.',
  done: (tool, callId) =>
    `[ToolError] ${tool} was not run again: call ${callId} had the same input and succeeded. Use its result, or change the input.`,
  perhapsDone: (tool, callId) =>
    `[ToolError] ${tool} was not run again: call ${callId} had the same input, was started, and nobody knows whether it took effect. Find out with another tool, or say so in the answer.`,
  twice: (tool, callId) =>
    `[ToolError] ${tool} was run once: call ${callId} of the same reply has the same input. Use its result, or change the input.`,
  askAgain: (callId, status) =>
    status === 'succeeded'
      ? `Repeats call ${callId}, which succeeded.`
      : `Repeats call ${callId}, whose outcome is unknown.`,
  callLimit: (tool, limit) =>
    `[ToolError] ${tool} was not run: it may be called ${limit === 1 ? 'once' : `${limit} times`} in a run, and was. Go on with what is known, or use another tool.`,
  rateLimit: (tool, waitMs) =>
    `[ToolError] ${tool} was not run: it is called too often. It could run again in ${seconds(waitMs)} s, which is more than is left. Go on without it, or answer with what is known.`,
  notAllowed: (tool, allowed) =>
    `[ToolError] ${tool} was not run: only tools that read are allowed here. ${
      allowed.length === 0 ? 'There is none: answer without tools.' : `Allowed: ${allowed.join(', ')}.`
    }`,
  dryRun: (tool, input) =>
    `(Dry run: ${tool} would now have been run with the input ${input}. Nothing was done; go on as if it had succeeded.)`,
  denied: (tool, why, others) =>
    `[ToolError] ${tool} was not allowed to run and was not executed${why === '' ? '' : `: ${why}`}. Go on without it, or ask for something else.${
      others.length === 0 ? '' : ` Other tools: ${others.join(', ')}.`
    }`,
  noAnswer: (tool) => `[ToolError] Nobody decided about ${tool} in time. It was not run. Go on without it.`,
  timedOut: (tool, limitMs) =>
    `[ToolError] ${tool} timed out: no result within ${seconds(limitMs)} s. Ask for less, or try another tool.`,
  timedOutUnknown: (tool, limitMs) =>
    `[ToolError] ${tool} timed out: no result within ${seconds(limitMs)} s. It may have taken effect; nobody knows. It will not be run again with this input. Find out with another tool, or say so in the answer.`,
  interrupted: (tool) =>
    `[ToolError] ${tool} had been started when the run was interrupted, and nobody knows whether it took effect. It will not be run again with this input. Find out with another tool, or say so in the answer.`,
  tried: (times) => ` (It was tried ${times} times.)`,
};

function inputOf(tool: string): string {
  return tool === '' ? 'The answer' : `[ToolError] The input of ${tool}`;
}

const chinese: Messages = {
  ...resultMessagesIn('zh'),
  unknownTool: (name, nearest, known) =>
    `[ToolError] 没有名为“${name}”的工具。${nearest === null ? '' : `你是指“${nearest}”吗？`}${
      known.length === 0 ? '没有任何工具：请直接回答。' : `可用的工具：${known.join('、')}。`
    }`,
  badInput: (tool, problems, example) =>
    `${inputOfZh(tool)}无法使用：${problems.join('；')}。${example === null ? '' : `应为：${example} `}${tool === '' ? '请按要求的格式重写。' : '请改正输入后重新调用。'}`,
  checkFailed: (tool, why) =>
    tool === ''
      ? `无法检查答案（${why}）。请重写。`
      : `[ToolError] 无法检查 ${tool} 的输入（${why}），没有执行。请换一个工具，或根据已知信息回答。`,
  needs: (tool, missing) =>
    `${tool === '' ? '答案还不算数' : `[ToolError] 没有执行 ${tool}`}：在此之前 ${missing.join('、')} 必须成功。请先调用 ${missing[0]}。`,
  brokenJson: 'JSON 不完整、有错误，或者不止一个值',
  answerRefused: '答案没有被接受。请检查后重写。',
  done: (tool, callId) =>
    `[ToolError] 没有再次执行 ${tool}：调用 ${callId} 的输入相同并且已经成功。请使用它的结果，或改变输入。`,
  perhapsDone: (tool, callId) =>
    `[ToolError] 没有再次执行 ${tool}：调用 ${callId} 的输入相同，已经开始，但不知道是否生效。请用其他工具确认，或在答案中说明。`,
  twice: (tool, callId) =>
    `[ToolError] ${tool} 只执行一次：同一回复中的调用 ${callId} 输入相同。请使用它的结果，或改变输入。`,
  askAgain: (callId, status) =>
    status === 'succeeded' ? `重复了已经成功的调用 ${callId}。` : `重复了结果未知的调用 ${callId}。`,
  callLimit: (tool, limit) =>
    `[ToolError] 没有执行 ${tool}：每次运行最多调用 ${limit} 次，已经用完。请根据已知信息继续，或换一个工具。`,
  rateLimit: (tool, waitMs) =>
    `[ToolError] 没有执行 ${tool}：调用过于频繁，${seconds(waitMs)} 秒后才能再次执行，剩余的时间不够。请不使用它继续，或根据已知信息回答。`,
  notAllowed: (tool, allowed) =>
    `[ToolError] 没有执行 ${tool}：这里只允许读取的工具。${
      allowed.length === 0 ? '没有这样的工具：请不使用工具直接回答。' : `允许的工具：${allowed.join('、')}。`
    }`,
  dryRun: (tool, input) => `（演练：本来会用输入 ${input} 执行 ${tool}。实际上什么也没有做；请当作已经成功继续。）`,
  denied: (tool, why, others) =>
    `[ToolError] ${tool} 未被允许，没有执行${why === '' ? '' : `：${why}`}。请不使用它继续，或提出其他请求。${
      others.length === 0 ? '' : `其他工具：${others.join('、')}。`
    }`,
  noAnswer: (tool) => `[ToolError] 没有人及时对 ${tool} 作出决定，没有执行。请不使用它继续。`,
  timedOut: (tool, limitMs) =>
    `[ToolError] ${tool} 超时：${seconds(limitMs)} 秒内没有结果。请减少请求的内容，或换一个工具。`,
  timedOutUnknown: (tool, limitMs) =>
    `[ToolError] ${tool} 超时：${seconds(limitMs)} 秒内没有结果，可能已经生效，无法确定。不会再用这个输入执行它。请用其他工具确认，或在答案中说明。`,
  interrupted: (tool) =>
    `[ToolError] 运行中断时 ${tool} 已经开始，不知道是否生效。不会再用这个输入执行它。请用其他工具确认，或在答案中说明。`,
  tried: (times) => `（已尝试 ${times} 次。）`,
};

function inputOfZh(tool: string): string {
  return tool === '' ? '答案' : `[ToolError] ${tool} 的输入`;
}

export function messagesIn(language: Language): Messages {
  return language === 'zh' ? chinese : english;
}

function seconds(limitMs: number): string {
  return String(Math.round(limitMs / 100) / 10);
}
