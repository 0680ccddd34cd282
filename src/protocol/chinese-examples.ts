/** The examples in Chinese: the same three. Null in bundles for the edge that do not ask for Chinese. Pure. */
import type { Example } from './examples.ts';

export const chineseExamples: readonly Example[] | null = [
  {
    task: '西沼灯塔有多高？',
    turns: [
      {
        thought: '我需要查一下。',
        tool: 'find_page',
        input: { query: '西沼灯塔 高度' },
        observation: '西沼灯塔建于 1888 年，高 41 米。',
      },
      { thought: '页面给出了高度。', answer: '西沼灯塔高 41 米。' },
    ],
  },
  {
    task: '5 月 3 日有多少件包裹离开仓库？',
    turns: [
      {
        thought: '包裹日志里有这个数字。',
        tool: 'count_parcels',
        input: { date: '5月3日' },
        observation: '[ToolError] date：应为 YYYY-MM-DD，收到的是 "5月3日"。日志是 2024 年的。',
      },
      {
        thought: '日期的格式写错了，也缺少年份。改写成 2024-05-03。',
        tool: 'count_parcels',
        input: { date: '2024-05-03' },
        observation: '127',
      },
      { thought: '这次调用成功了。', answer: '5 月 3 日有 127 件包裹离开仓库。' },
    ],
  },
  {
    task: '12 张港口游览票一共多少欧元？',
    turns: [
      {
        thought: '先要知道一张票的价格。',
        tool: 'find_page',
        input: { query: '港口游览 票价' },
        observation: '港口游览：每人 14.50 欧元。',
      },
      {
        thought: '一张票 14.50 欧元，总价用工具来算。',
        tool: 'work_out',
        input: { expression: '12 * 14.5' },
        observation: '174',
      },
      { thought: '两个数字都有了。', answer: '12 张票一共 174 欧元。' },
    ],
  },
];
