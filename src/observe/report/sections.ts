/** A report as titles, tables and sentences: what the terminal and the page show alike. Pure. */
import type { CostMetrics, Metrics } from './metrics.ts';
import type { Spread } from './spread.ts';
import { toolSection } from './tool-section.ts';
import { costText, counted, instantText, numberText, shareText, spanText } from './words.ts';

export interface Section {
  readonly title: string;
  readonly tables: readonly Table[];
  readonly sentences: readonly string[];
}

export interface Table {
  /** For who cannot see it; the title of its section, where that says enough. */
  readonly caption: string;
  /** The first column is text, the others are numbers. */
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

export interface Row {
  readonly cells: readonly string[];
  /** The length of its bar, 0 to 1; null where the table has none. */
  readonly bar: number | null;
  readonly mood: Mood;
}

export type Mood = 'good' | 'warning' | 'bad' | 'plain';

/** The first sight: `83 % answered`. */
export function headline({ runs, successRate }: Metrics): { readonly text: string; readonly mood: Mood } {
  if (successRate === null) return { text: 'no run has ended', mood: 'plain' };
  const ended = runs.answered + runs.failed;
  const text = `${shareText(successRate)} answered: ${numberText(runs.answered)} of ${counted(ended, 'run')} that ended`;
  return { text, mood: moodOf(successRate) };
}

function moodOf(successRate: number): Mood {
  if (successRate >= 0.9) return 'good';
  return successRate >= 0.6 ? 'warning' : 'bad';
}

/** What else is to be known at once. */
export function subline({ runs, fromWallMs, toWallMs }: Metrics): string {
  const span =
    fromWallMs === null || toWallMs === null ? [] : [`${instantText(fromWallMs)} to ${instantText(toWallMs)} UTC`];
  const others = [
    [runs.suspended, 'suspended'],
    [runs.unfinished, 'without an end'],
    [runs.incomplete, 'with events missing'],
  ] as const;
  const told = others.flatMap(([count, what]) => (count === 0 ? [] : [`${numberText(count)} ${what}`]));
  return [counted(runs.total, 'run'), ...told, ...span].join(' · ');
}

export function sectionsOf(metrics: Metrics): readonly Section[] {
  const sections = [
    endings(metrics),
    aRun(metrics),
    toolSection(metrics),
    faults(metrics),
    savings(metrics),
    people(metrics),
  ];
  return sections.filter(({ tables, sentences }) => sentences.length > 0 || tables.some(({ rows }) => rows.length > 0));
}

function endings({ endings: all, runs }: Metrics): Section {
  const ended = runs.answered + runs.failed;
  const rows = all.map(({ stopReason, runs: count }) => ({
    cells: [stopReason, numberText(count), shareText(count / ended)],
    bar: count / ended,
    mood: stopReason === 'final' ? ('good' as const) : ('bad' as const),
  }));
  return {
    title: 'Endings',
    tables: [{ caption: 'Endings', columns: ['reason', 'runs', 'share'], rows }],
    sentences: [],
  };
}

function aRun({ aRun: of, cost, estimatedShare }: Metrics): Section {
  const lines: readonly (readonly [string, Spread | null | undefined, (value: number) => string])[] = [
    ['steps', of.steps, numberText],
    ['tokens', of.tokens, numberText],
    ['input tokens', of.inputTokens, numberText],
    ['output tokens', of.outputTokens, numberText],
    ['running time', of.runningMs, spanText],
    ['wall clock', of.wallMs, spanText],
    ['cost', cost?.aRun, costText],
  ];
  const rows = lines.flatMap(([name, spread, told]) => {
    if (spread === null || spread === undefined) return [];
    const { mean, p50, p95, max } = spread;
    return [{ cells: [name, ...[mean, p50, p95, max].map(told)], bar: null, mood: 'plain' as const }];
  });
  const estimated =
    estimatedShare === null || estimatedShare === 0
      ? []
      : [`${shareText(estimatedShare)} of the tokens were counted by us: the provider did not say.`];
  return {
    title: 'A run',
    tables: [{ caption: 'What a run took', columns: ['', 'mean', 'p50', 'p95', 'max'], rows }],
    sentences: rows.length === 0 ? [] : [...estimated, ...costSentences(cost)],
  };
}

function costSentences(cost: CostMetrics | null): readonly string[] {
  if (cost === null)
    return [
      'Cost is left out: give the prices, --prices FILE.json: {"gpt-4o-mini": {"inputPerMillion": 0.15, "outputPerMillion": 0.6}}.',
    ];
  const whole = cost.aRun === null ? [] : [`All runs: ${costText(cost.total)}, in the unit of the prices.`];
  if (cost.unpricedRuns === 0) return whole;
  const names = cost.unpriced.slice(0, 5).join(', ');
  return [...whole, `In no cost: ${counted(cost.unpricedRuns, 'run')}, since there is no price of ${names}.`];
}

/** Rows of a table by step. */
const mostSteps = 12;

function faults({ violations, callsByStep, repeatedCalls }: Metrics): Section {
  const most = Math.max(1, ...violations.byCode.map(({ count }) => count));
  const codes = violations.byCode.map(({ code, count }) => ({
    cells: [code, numberText(count)],
    bar: count / most,
    mood: 'warning' as const,
  }));
  const errors = new Map(callsByStep.map((row) => [row.step, row]));
  const steps = violations.byStep
    .map(({ step, steps: count, violations: broken }) => {
      const { calls = 0, errors: failed = 0 } = errors.get(step) ?? {};
      const rates = [broken / count, calls === 0 ? 0 : failed / calls];
      const cells = [
        `step ${step}`,
        numberText(count),
        shareText(rates[0] ?? 0),
        numberText(calls),
        shareText(rates[1] ?? 0),
      ];
      return {
        cells,
        bar: Math.max(...rates),
        mood: Math.max(...rates) > 0 ? ('warning' as const) : ('plain' as const),
      };
    })
    .slice(0, mostSteps);
  const rest = violations.byStep.length - steps.length;
  return {
    title: 'Faults',
    tables: [
      { caption: 'Violations by code', columns: ['violation', 'times'], rows: codes },
      { caption: 'Faults by step', columns: ['by step', 'steps', 'violated', 'calls', 'failed'], rows: steps },
    ],
    sentences: [
      ...(rest > 0 ? [`${counted(rest, 'further step')}: --json has all.`] : []),
      ...(repeatedCalls > 0 ? [`${counted(repeatedCalls, 'call')} repeated an equal call of the same run.`] : []),
    ],
  };
}

function savings({ prompt, savedTokens, retries, modelCalls }: Metrics): Section {
  const { tokens, reusedTokens, cachedTokens, cacheReportedTokens } = prompt;
  const sentences: string[] = [];
  if (tokens > 0)
    sentences.push(
      `${shareText(reusedTokens / tokens)} of ${numberText(tokens)} prompt tokens had been sent before in the same run.`,
    );
  if (cacheReportedTokens > 0)
    sentences.push(
      `${shareText(cachedTokens / cacheReportedTokens)} were read from the provider's cache, where it says so.`,
    );
  if (savedTokens > 0)
    sentences.push(`At most ${numberText(savedTokens)} output tokens were saved by leaving replies behind their step.`);
  if (modelCalls > 0)
    sentences.push(
      `${counted(modelCalls, 'model call')}, ${numberText(retries.model)} of them another try; ${counted(retries.tools, 'further try', 'further tries')} of tools.`,
    );
  return { title: 'Tokens and tries', tables: [], sentences };
}

function people({ waiting: { asked, granted, denied, expired, ms } }: Metrics): Section {
  if (asked === 0) return { title: 'People', tables: [], sentences: [] };
  const took = ms === null ? '' : ` An answer took ${spanText(ms.p50)} (p50), ${spanText(ms.p95)} (p95).`;
  const counts = [
    `${numberText(granted)} allowed`,
    `${numberText(denied)} refused`,
    `${numberText(expired)} unanswered in time`,
  ];
  return {
    title: 'People',
    tables: [],
    sentences: [`Asked about ${counted(asked, 'call')}: ${counts.join(', ')}.${took}`],
  };
}
