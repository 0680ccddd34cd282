/**
 * What is said in Chinese about the form of a reply. Null in bundles for the edge that do not ask for Chinese; what is said
 * there is English. Pure.
 */
import type { Sentences } from './hints.ts';

const seen: Sentences = {
  empty: () => '你的回复里没有可用的内容：没有行动，也没有答案。',
  no_step: (_tool, seen) => `你的回复里既没有行动，也没有最终答案；开头是 ${seen}。`,
  thought_only: () => '你的回复只写了思考就结束了，没有行动，也没有最终答案。',
  unreadable_input: (tool, seen) => `${tool === '' ? '你的回复' : `${tool} 的输入`}不是可读的 JSON；开头是 ${seen}。`,
  missing_input: (tool) => `行动 ${tool} 没有输入。`,
  no_tool: () => '你的回复没有写出工具名，所以什么也没有执行，也没有最终答案。',
  truncated: () => '你的回复因为过长被截断，其中的内容都没有执行。请写得短一些。',
  too_long: () => '你的回复超过了长度限制，已被停止；其中的内容都没有执行。请写得短一些。',
};

interface TaughtNames {
  readonly thought: string;
  readonly call: string;
  readonly answer: string;
}

const texts = {
  seen,
  rules: {
    labelled: '先写 "Thought:"，然后要么写 "Action:" 和 "Action Input:"（一个 JSON 对象），要么写 "Final Answer:"。',
    json: '只写一个 JSON 对象，含 "thought"、"action"（工具名）和 "action_input"（一个对象）；要作答时，action 用 "final_answer"。',
    paper: '先写 "Thought:"，然后写 "Action:"，后面是工具名和方括号里的输入；要作答时写 "Action: Finish[答案]"。',
    native: '要么用工具调用来调用一个工具，要么把答案直接写成文本。',
    id: '先写 "Thought:"，然后要么写 "Action:"，后面是工具编号和一个 JSON 对象，要么写 "Answer:"。',
  },
  loopWarning:
    '[LoopGuard] 你在重复同样的步骤并得到同样的结果。继续重复会使运行结束。请改变输入、换一个工具，或根据已知信息给出答案。',
  emptyWarning: (inRow: number) =>
    `[LoopGuard] 最近 ${inRow} 次结果都没有内容。请改变做法：换用其他词语、扩大范围或换一个工具；或者回答没有找到。`,
  labelled: [
    '每次回复都按这个格式来写，标签保持英文：',
    '',
    'Thought: 你知道什么，接下来做什么',
    'Action: 一个工具的名字，与上面列出的完全一致',
    'Action Input: 它的输入，一个 JSON 对象',
    '',
    '写完 Action Input 就停下。结果会以 "Observation: …" 发给你；绝不要自己写 Observation。每次回复只写一个 Action。',
    '',
    '知道答案以后，改写成：',
    '',
    'Thought: 为什么任务已经完成',
    'Final Answer: 给提问者的完整答案',
  ].join('\n'),
  json: [
    '每次回复只写一个 JSON 对象，不写别的：',
    '',
    '{"thought": "你知道什么，接下来做什么", "action": "一个工具的名字，与上面列出的完全一致", "action_input": {}}',
    '',
    '"action_input" 是工具的输入。写完这个对象就停下。结果会以 "Observation: …" 发给你；绝不要自己写 Observation。每次回复只写一个对象。',
    '',
    '知道答案以后，改写成：',
    '',
    '{"thought": "为什么任务已经完成", "action": "final_answer", "action_input": "给提问者的完整答案"}',
  ].join('\n'),
  paper: [
    '每次回复都按这个格式来写，标签保持英文：',
    '',
    'Thought: 你知道什么，接下来做什么',
    'Action: 工具名[输入]',
    '',
    '工具名与上面列出的完全一致。方括号里是它的输入：一个 JSON 对象；工具接受文本时，直接写文本。写完右括号就停下。结果会以 "Observation: …" 发给你；绝不要自己写 Observation。每次回复只写一个 Action。',
    '',
    '知道答案以后，改写成：',
    '',
    'Thought: 为什么任务已经完成',
    'Action: Finish[给提问者的完整答案]',
  ].join('\n'),
  native: [
    '分步工作。每次回复要么用工具调用来调用工具，要么作答。',
    '先用一两句话说明你知道什么、接下来做什么，然后调用工具。互不依赖的调用可以写在同一次回复里。结果随后会发给你；绝不要自己编造。',
    '知道答案以后，直接写成文本，不带工具调用：给提问者的完整答案。',
  ].join('\n'),
  withoutTools: '没有可用的工具，请直接写出答案。',
  id: [
    '每次回复都按这个格式来写，标签保持英文：',
    '',
    'Thought: 你知道什么，接下来做什么',
    'Action: 一个工具的编号，以及它的输入（一个 JSON 对象），写在同一行',
    '',
    '写完 Action 就停下。结果会放在两行 "---" 之间发给你；绝不要自己写这样的内容，也不要写 Observation。每次回复只写一个 Action。',
    '',
    '知道答案以后，改写成：',
    '',
    'Thought: 为什么任务已经完成',
    'Answer: 给提问者的完整答案',
  ].join('\n'),
  idList: '工具及其编号。没有写类型的字段是字符串；带问号的字段可以省略。',
  idFaults:
    '以 "ERROR:" 开头的结果说明出了什么错：你的回复无法读取，工具失败或拒绝了输入，或者你在重复自己。先找出原因再改正；不要原样重复。',
  idExamples: '示例。其中的工具是虚构的，只能使用上面列出的工具。除了 "---" 之间的内容，其余都由你来写。',
  answerForm: '无论示例如何，最终答案本身必须是符合以下 JSON Schema 的一个 JSON 值，前后不要有其他文字：',
  examplesLead: '示例。其中的工具是虚构的，只能使用上面列出的工具。除了以 "Observation:" 开头的行，其余都由你来写。',
  faultLines: [
    '出错时，观察结果会说明：',
    '- [FormatError]：你的回复无法读取，什么也没有执行。请按上面的说明重写这一步。',
    '- [ToolError]：工具失败了，或者拒绝了输入。先找出原因，改正后再调用；不要原样重复。',
    '- [LoopGuard]：你在重复自己。请换一种做法，或用已知的内容作答。',
  ].join('\n'),
  tags: ({ thought, call, answer }: TaughtNames) =>
    [
      '每次回复都按这个格式来写，标签保持英文：',
      '',
      `<${thought}>你知道什么，接下来做什么</${thought}>`,
      `<${call}>{"name": "一个工具的名字，与上面列出的完全一致", "arguments": {}}</${call}>`,
      '',
      `"arguments" 是工具的输入。写完 </${call}> 就停下。结果会以 "Observation: …" 发给你；绝不要自己写 Observation。每次回复只写一个 <${call}>，每个标签都要闭合。`,
      '',
      '知道答案以后，改写成：',
      '',
      `<${thought}>为什么任务已经完成</${thought}>`,
      `<${answer}>给提问者的完整答案</${answer}>`,
    ].join('\n'),
};

export const chineseTexts: typeof texts | null = texts;
