/** Sentences that the instructions of several dialects share. Pure. */

export const en = {
  form: 'Write every reply in this form:',
  known: 'what you know, and what to do next',
  name: 'the name of one tool, exactly as listed',
  sent: 'The result is then sent to you as "Observation: …"; never write an Observation yourself.',
  instead: 'When you know the answer, write instead:',
  done: 'why the task is done',
  answer: 'the answer, complete, for the person who asked',
} as const;

export const zh = {
  form: '每次回复都按这个格式来写，标签保持英文：',
  known: '你知道什么，接下来做什么',
  sent: '结果会以 "Observation: …" 发给你；绝不要自己写 Observation。',
  instead: '知道答案以后，改写成：',
  done: '为什么任务已经完成',
  answer: '给提问者的完整答案',
} as const;
