/** Foreign code that is asked about a call and hangs or fails, also where it was well before: in both languages. */
import { read, returns, throws } from './contract-behaviours.ts';
import { call } from './contract-person.ts';
import type { Fate, Row, RowTool } from './contract-play.ts';

type Validated = { readonly value: unknown } | { readonly issues: readonly { readonly message: string }[] };

const silence = () => new Promise<never>(() => {});
const fails = () => {
  throw new Error('away');
};
const schema = (validate: (value: unknown) => Validated | Promise<Validated>) => ({
  '~standard': { version: 1, vendor: 'test', validate },
});
/** Well the first time, when the gates ask it. */
const wellOnce = (then: () => Validated | Promise<Validated>) => {
  let asked = 0;
  return schema((value) => (asked++ === 0 ? { value } : then()));
};

interface Told {
  readonly what: string;
  readonly tool: Partial<RowTool>;
  readonly agent?: Row['agent'];
  readonly started: string;
  readonly en: string;
  readonly zh: string;
}

const silent: readonly Told[] = [
  {
    what: 'inputSchema',
    tool: { inputSchema: schema(silence) },
    started: '',
    en: '[ToolError] The input of t could not be checked (no result in time). It was not run. Try another tool or answer with what is known.',
    zh: '[ToolError] 无法检查 t 的输入（没有及时得到结果），没有执行。请换一个工具，或根据已知信息回答。',
  },
  {
    what: 'needsApproval',
    tool: { needsApproval: silence },
    started: '',
    en: '[ToolError] The input of t could not be checked (no result in time). It was not run. Try another tool or answer with what is known.',
    zh: '[ToolError] 无法检查 t 的输入（没有及时得到结果），没有执行。请换一个工具，或根据已知信息回答。',
  },
  {
    what: 'outputSchema',
    tool: { outputSchema: schema(silence) },
    started: 't',
    en: '[ToolError] t ran, but its result could not be checked (no result in time) and is not shown. Change the input, try another tool, or answer with what is known.',
    zh: '[ToolError] t 已执行，但无法检查其结果（没有及时得到结果），因此不显示。请改变输入、换一个工具，或根据已知信息回答。',
  },
  {
    what: 'checkResult',
    tool: {},
    agent: { checkResult: silence },
    started: 't',
    en: '[ToolError] t ran, but its result could not be checked (no result in time) and is not shown. Change the input, try another tool, or answer with what is known.',
    zh: '[ToolError] t 已执行，但无法检查其结果（没有及时得到结果），因此不显示。请改变输入、换一个工具，或根据已知信息回答。',
  },
];

const hangRows = silent.flatMap(({ what, tool, agent, started, en, zh }) =>
  Object.entries({ en, zh }).map(
    ([language, told]): Row => ({
      what: `${what} hangs, told in ${language}`,
      tools: { t: read(returns('x'), tool) },
      agent: { ...agent, language: language === 'zh' ? 'zh' : 'en' },
      says: [[call(1)]],
      calls: [[started === '' ? 'refused' : 'failed', told]],
      started,
      tookMs: 10_000,
    }),
  ),
);

/** A try has an input of its own, for which the schema is asked again. */
const again = (what: string, then: () => Validated | Promise<Validated>, told: Fate[1], tookMs: number): Row => ({
  what: `a second try whose input ${what}`,
  tools: { t: read(throws(new Error('no')), { retries: 1, inputSchema: wellOnce(then) }) },
  says: [[call(1)]],
  calls: [['failed', told]],
  started: 't',
  tookMs,
});

const againRows: readonly Row[] = [
  again(
    'cannot be checked any more',
    fails,
    '[ToolError] The input of t could not be checked (away). It was not run. Try another tool or answer with what is known. (It was tried once.)',
    207,
  ),
  again(
    'is not checked in time',
    silence,
    '[ToolError] The input of t could not be checked (no result in time). It was not run. Try another tool or answer with what is known. (It was tried once.)',
    10_207,
  ),
  again(
    'fits no more',
    () => ({ issues: [{ message: 'It is closed.' }] }),
    '[ToolError] The input of t cannot be used: It is closed. Write the call again with a corrected input. (It was tried once.)',
    207,
  ),
];

export const silenceRows: readonly Row[] = [...hangRows, ...againRows];
