/** What a report says of tools: how their calls went, and their shares of time, of text and of what runs took. Pure. */
import type { Metrics, ToolMetrics } from './metrics.ts';
import type { Row, Section, Table } from './sections.ts';
import { costText, counted, numberText, shareText, spanText } from './words.ts';

export function toolSection(metrics: Metrics): Section {
  const { tools, unknownToolCalls } = metrics;
  const unknown = unknownToolCalls === 0 ? [] : [`${counted(unknownToolCalls, 'call')} of tools that do not exist.`];
  if (tools.length === 0) return { title: 'Tools', tables: [], sentences: unknown };
  const explained = 'time, text: the share of the time of all tools, and of what they told the model.';
  return {
    title: 'Tools',
    tables: [callTable(tools), shareTable(metrics)],
    sentences: [explained, ...shareSentences(metrics), ...nestedSentences(metrics), ...unknown],
  };
}

/** Not known, or nothing to tell: no number. */
const none = '–';

function callTable(tools: readonly ToolMetrics[]): Table {
  const columns = ['tool', 'calls', 'errors', 'late', 'refused', 'p50', 'p95', 'max', 'time', 'text'];
  const rows = tools.map((tool): Row => {
    const { calls, errors, timeouts, unknown, refused, latencyMs, timeShare, textShare } = tool;
    const times = latencyMs === null ? [none, none, none] : [latencyMs.p50, latencyMs.p95, latencyMs.max].map(spanText);
    const counts = [calls, errors, timeouts, refused].map(numberText);
    const faulty = errors + timeouts + unknown;
    return {
      cells: [tool.tool, ...counts, ...times, shownShare(timeShare), shownShare(textShare)],
      bar: null,
      mood: faulty === 0 ? 'plain' : faulty * 2 > calls ? 'bad' : 'warning',
    };
  });
  return { caption: 'Tools', columns, rows };
}

function shareTable({ tools, costShares }: Metrics): Table {
  const { of, total, instructions, replies } = costShares;
  const what = of === 'money' ? 'cost' : 'tokens';
  const amountText = of === 'money' ? costText : numberText;
  const rest = instructions === null || replies === null ? null : instructions + replies;
  const shares = tools
    .map(({ tool, costShare }) => [tool, costShare] as const)
    .toSorted(([, one], [, other]) => (other ?? -1) - (one ?? -1));
  const rows = [['instructions, task and replies', rest] as const, ...shares].map(([name, share]): Row => {
    const amount = share === null ? none : amountText(of === 'money' ? share * total : Math.round(share * total));
    return { cells: [name, shownShare(share), amount], bar: share ?? 0, mood: 'plain' };
  });
  return { caption: `Share of ${what}`, columns: [`share of ${what}`, 'share', what], rows };
}

function shownShare(share: number | null): string {
  return share === null ? none : shareText(share);
}

function shareSentences({ costShares: { of, instructions, leftOutRuns } }: Metrics): readonly string[] {
  const what = of === 'money' ? 'cost' : 'tokens';
  const tells = leftOutRuns === 1 ? 'its trace does not tell' : 'their traces do not tell';
  const why = `${tells} all that was sent${of === 'money' ? ', or a model has no price' : ''}`;
  const leftOut = leftOutRuns === 0 ? [] : [`In no share of ${what}: ${counted(leftOutRuns, 'run')}, since ${why}.`];
  if (instructions === null) return leftOut;
  return [
    `A tool's share of ${what}: its results in every later prompt, estimated by length of text, and what agents that ran as it spent.`,
    ...leftOut,
  ];
}

function nestedSentences({ nestedRuns, tools }: Metrics): readonly string[] {
  if (nestedRuns === 0) return [];
  const calls = tools.reduce((sum, { nestedCalls }) => sum + nestedCalls, 0);
  return [
    `Tools, faults and requests are with those of ${counted(nestedRuns, 'run')} of agents as tools: ${counted(calls, 'call')}. In shares, what an agent did is its tool's. Endings and failures are of the runs that were asked for.`,
  ];
}
