/**
 * What the model is told in Chinese. Node loads it as a file of its own; bundles for the edge leave it out unless they ask
 * for it (`imports` in package.json), and then hold null in its place.
 */
import type { Doubt } from '../core/doubt.ts';
import type { AdviceKind } from './advice.ts';
import { duration, inputText, listed } from './brief.ts';
import type { Messages } from './messages.ts';

export const chinese: Omit<Messages, 'redactor'> | null = {
  unknownTool: (name, nearest, known) =>
    `[ToolError] 没有名为“${name}”的工具。${nearest === null ? '' : `你是指“${nearest}”吗？`}${
      known.length === 0 ? '没有任何工具：请直接回答。' : `可用的工具：${namesZh(known)}。`
    }`,
  badInput: (tool, problems, example) => `[ToolError] ${tool} 的输入${unfit(problems, example)}请改正输入后重新调用。`,
  checkFailed: (tool, why) =>
    `[ToolError] 无法检查 ${tool} 的输入（${why}），没有执行。请换一个工具，或根据已知信息回答。`,
  needs: (tool, missing) => `[ToolError] 没有执行 ${tool}：${first(missing)}`,
  badAnswer: (problems, example) => `答案${unfit(problems, example)}请按要求的格式重写。`,
  answerNotChecked: (why) => `无法检查答案（${why}）。请重写。`,
  answerNeeds: (missing) => `答案还不算数：${first(missing)}`,
  noResult: '没有及时得到结果',
  tooDeep: (levels) => `嵌套超过 ${levels} 层`,
  brokenJson: 'JSON 不完整、有错误，或者不止一个值',
  answerRefused: '答案没有被接受。请检查后重写。',
  done: (tool, callId) =>
    `[ToolError] 没有再次执行 ${tool}：调用 ${callId} 的输入相同并且已经成功。请使用它的结果，或改变输入。`,
  perhapsDone: (tool, callId) =>
    `[ToolError] 没有再次执行 ${tool}：调用 ${callId} 的输入相同，已经开始，但不知道是否生效。请用其他工具确认，或在答案中说明。`,
  twice: (tool, callId) =>
    `[ToolError] ${tool} 只执行一次：同一回复中的调用 ${callId} 输入相同。请使用它的结果，或改变输入。`,
  askAgain: (callId, status) =>
    `重复了${{ succeeded: '已经成功的', unknown: '结果未知的', waiting: '同一回复中的' }[status]}调用 ${callId}。`,
  edited: (input) => `（有人把输入改为 ${inputText(input)}。）`,
  callLimit: (tool, limit) =>
    `[ToolError] 没有执行 ${tool}：每次运行最多调用 ${limit} 次，已经用完。请根据已知信息继续，或换一个工具。`,
  rateLimit: (tool, waitMs) =>
    `[ToolError] 没有执行 ${tool}：调用过于频繁，${durationZh(waitMs)}后才能再次执行，剩余的时间不够。请不使用它继续，或根据已知信息回答。`,
  notAllowed: (tool, allowed) =>
    `[ToolError] 没有执行 ${tool}：这里只允许读取的工具。${
      allowed.length === 0 ? '没有这样的工具：请不使用工具直接回答。' : `允许的工具：${namesZh(allowed)}。`
    }`,
  dryRun: (tool, input) => `（演练：本来会用输入 ${input} 执行 ${tool}。实际上什么也没有做；请当作已经成功继续。）`,
  denied: (tool, why, others) =>
    `[ToolError] ${tool} 未被允许，没有执行${why === '' ? '' : `：${why}`}。请不使用它继续，或提出其他请求。${otherToolsZh(others)}`,
  noAnswer: (tool, others) =>
    `[ToolError] 没有人及时对 ${tool} 作出决定，没有执行。请不使用它继续。${otherToolsZh(others)}`,
  timedOut: (tool, limitMs) =>
    `[ToolError] ${tool} 超时：${durationZh(limitMs)}内没有结果。请减少请求的内容，或换一个工具。`,
  timedOutUnknown: (tool, limitMs) =>
    `[ToolError] ${tool} 超时：${durationZh(limitMs)}内没有结果，可能已经生效，无法确定。不会再用这个输入执行它。请用其他工具确认，或在答案中说明。`,
  interrupted: (tool) =>
    `[ToolError] 运行中断时 ${tool} 已经开始，不知道是否生效。不会再用这个输入执行它。请用其他工具确认，或在答案中说明。`,
  notStarted: (tool) => `[ToolError] 没有执行 ${tool}：它开始之前运行就停止了。如果仍然需要，请再次调用。`,
  tried: (times) => `（已尝试 ${times} 次。）`,
  badOutput: (tool, problems, again) =>
    `[ToolError] ${tool} 已执行，但结果无法使用：${problems.join('；')}。${afterwards(tool, again)}`,
  outputNotChecked: (tool, why, again) =>
    `[ToolError] ${tool} 已执行，但无法检查其结果（${why}），因此不显示。${afterwards(tool, again)}`,
  notAccepted: (tool, why, again) =>
    `[ToolError] ${tool} 已执行，但结果未被接受${why === null ? '。' : `：${why} `}${afterwards(tool, again)}`,
  tooManyValues: (tool, most, again) =>
    `[ToolError] 已放弃 ${tool}：它给出了超过 ${most} 个值而没有结束。${afterwards(tool, again)}`,
  thrown: (tool, message, advice, again) =>
    `[ToolError] ${tool} 失败：${message} ${
      !again
        ? afterwards(tool, again)
        : advice === null
          ? '请改正输入、换一个工具，或根据已知信息回答。'
          : `${advice}否则请换一个工具，或根据已知信息回答。`
    }`,
  advice: (kind) => advice[kind],
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
};

function durationZh(ms: number): string {
  return duration(ms, '毫秒', '秒');
}

function namesZh(names: readonly string[]): string {
  return listed(names, '、', (count) => `……还有 ${count} 个`);
}

function otherToolsZh(names: readonly string[]): string {
  return names.length === 0 ? '' : `其他工具：${namesZh(names)}。`;
}

function unfit(problems: readonly string[], example: string | null): string {
  return `无法使用：${problems.join('；')}。${example === null ? '' : `应为：${example}。`}`;
}

function first(missing: readonly string[]): string {
  return `在此之前 ${namesZh(missing)} 必须成功。请先调用 ${missing[0]}。`;
}

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

const advice: { readonly [kind in AdviceKind]: string } = {
  noFile: '没有这个文件或文件夹：请检查路径，或先列出已有的内容。',
  noAccess: '没有权限：不要重复同样的操作。',
  refused: '该地址没有响应：请检查主机和端口。',
  noHost: '找不到该主机名：请检查拼写。',
  slow: '耗时过长：请减少请求的内容，或稍后再试一次。',
  broken: '连接中断：再试之前，请先确认操作是否已经执行。',
  aborted: '操作在完成之前被取消。',
  notJson: '应为 JSON 的内容不是 JSON：请检查输入，或按文本读取。',
  badRequest: '服务无法处理该请求：请检查输入的名称和值。',
  notSignedIn: '服务不接受当前凭据，而你无法更改：请在答案中说明。',
  forbidden: '服务不允许这样做：不要重复同样的操作。',
  notThere: '服务中没有该名称、编号或地址：请检查，或先搜索正确的。',
  tooMany: '对服务的请求过多：不要立即再次请求；请减少请求的内容，或使用已知信息。',
  serverFault: '服务本身有故障：输入无需修改，稍后可能恢复。',
};
