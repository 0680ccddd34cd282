/** Shares of what runs took, worked out by hand, and what holds of them whatever the run. */
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../../src/core/trace.ts';
import type { Metrics, Prices } from '../../src/observe/report/metrics.ts';
import { reportPage } from '../../src/observe/report/page.ts';
import {
  calling,
  type Family,
  family,
  metricsOfTraces,
  promptUnits,
  resumedTrace,
  saying,
  sharesIn,
  traceOfFamily,
  withoutAdded,
} from './report-share-runs.ts';

/** Of each tool, what it took; null where its share is. */
const tookOf = ({ costShares: { total, replies }, tools }: Metrics) => ({
  total,
  replies: (replies ?? Number.NaN) * total,
  tools: Object.fromEntries(tools.map(({ tool, costShare }) => [tool, costShare === null ? null : costShare * total])),
});
const sumOf = (metrics: Metrics) => sharesIn(metrics).reduce<number>((sum, share) => sum + (share ?? 0), 0);

/*
 * Quarter tokens: a letter, digit or space has one, a sign of punctuation two, a Chinese character four, and a message 16 beside its
 * text. A result of `look` (`seen`) has 20, of `list` (`一二三`) 28; a reply that calls `look` with {} 16 + (16 + 4 + 4) = 40, as
 * one that calls `list`; one that calls both 16 + 2 * 24 = 64.
 */
const rows: readonly (readonly [
  string,
  Family,
  /** `p2`: the quarter tokens of the second prompt. */
  (p2: number, p3: number) => { readonly total: number; readonly replies: number; readonly tools: object },
])[] = [
  [
    'an observation is in every later prompt',
    { run: [calling(['look'], [100, 10]), calling(['list'], [200, 20]), saying('Done.', [300, 30])] },
    (p2, p3) => ({
      total: 660,
      // What was written, and the first reply in two prompts, the second in one.
      replies: 60 + (200 * 40) / p2 + (300 * 80) / p3,
      tools: { look: (200 * 20) / p2 + (300 * 20) / p3, list: (300 * 28) / p3 },
    }),
  ],
  [
    'results of one reply are told apart',
    { run: [calling(['look', 'list'], [100, 10]), saying('Done.', [200, 20])] },
    (p2) => ({
      total: 330,
      replies: 30 + (200 * 64) / p2,
      tools: { look: (200 * 20) / p2, list: (200 * 28) / p2 },
    }),
  ],
  [
    'a tool called last took nothing, and one that does not exist is the loop’s to tell of',
    { run: [calling(['nope'], [100, 10]), calling(['look'], [200, 20])] },
    // The reply that calls `nope` has as many quarter tokens as one that calls `look`.
    (p2) => ({ total: 330, replies: 30 + (200 * 40) / p2, tools: { look: 0 } }),
  ],
  [
    'in a text dialect a result is the user’s; what is told of a fault is the loop’s',
    {
      dialect: 'labelled',
      run: [
        saying('Action: look\nAction Input: {}', [100, 10]),
        saying('', [200, 20]),
        saying('Final Answer: Done.', [300, 30]),
      ],
    },
    // `Observation: seen` has 11 + 2 + 1 + 4 and 16 = 34. The first reply: 6 + 2 + 1 + 4, a break, 12 + 2 + 1 + 4, and 16 = 49; of the
    // second `(empty reply)` is kept: 2 + 11 + 2 and 16 = 31.
    (p2, p3) => ({
      total: 660,
      replies: 60 + (200 * 49) / p2 + (300 * 80) / p3,
      tools: { look: (200 * 34) / p2 + (300 * 34) / p3 },
    }),
  ],
  [
    'what agents spent is of the tool as which they ran, at any depth',
    {
      run: [calling(['ask'], [100, 10]), saying('Done.', [200, 20])],
      // Together 1,000 + 100 + 2,000 + 200, and of the expert 4,000 + 400 + 5,000 + 500 beside.
      ask: [calling(['expert'], [1_000, 100]), saying('Asked.', [2_000, 200])],
      expert: [calling(['look'], [4_000, 400]), saying('Known.', [5_000, 500])],
    },
    // `Asked.` has 7 and 16. The reply that asks: 16 + 16 + 3 + {"task":"it"} = 2 + 8 + 2 + 6 + 2 = 20.
    (p2) => ({
      total: 330 + 3_300 + 9_900,
      replies: 30 + (200 * 55) / p2,
      tools: { ask: 3_300 + 9_900 + (200 * 23) / p2, expert: null, look: null },
    }),
  ],
];

describe('of tokens', () => {
  it.each(rows)('%s', async (_, of, expected) => {
    const trace = await traceOfFamily(of);
    const [, p2 = 0, p3 = 0] = promptUnits(trace);
    const metrics = metricsOfTraces([trace]);
    const { total, replies, tools } = tookOf(metrics);
    const right = expected(p2, p3);
    expect(metrics.costShares).toMatchObject({ of: 'tokens', leftOutRuns: 0 });
    expect(total).toBe(right.total);
    expect(replies).toBeCloseTo(right.replies, 9);
    const close = Object.entries(right.tools).map(([name, took]) => [
      name,
      took === null ? null : expect.closeTo(took, 9),
    ]);
    expect(tools).toEqual(Object.fromEntries(close));
    expect(sumOf(metrics)).toBeCloseTo(1, 12);
    // All that the report says runs took is shared.
    expect(total).toBe(metrics.aRun.tokens?.total);
  });
});

it('one message that tells of several calls is shared by the length of their results', async () => {
  const trace = await traceOfFamily({ run: [calling(['look', 'list'], [100, 10]), saying('Done.', [200, 20])] });
  const content = 'Observation: (look) seen\nObservation: (list) 一二三';
  const inOne = trace.map((event): TraceEvent => {
    if (event.type !== 'prompt.sent' || event.step !== 2) return event;
    return { ...event, messages: 4, added: [...(event.added ?? []).slice(0, 1), { role: 'user', content }] };
  });
  const [, p2 = 0] = promptUnits(inOne);
  // 11 + 2 + 1 + 8 + 1 + 4 = 27, a break, 35, and 16: 79. The results in it have 4 and 12.
  const { tools } = tookOf(metricsOfTraces([inOne]));
  expect(tools.look).toBeCloseTo((200 * 79 * 0.25) / p2, 9);
  expect(tools.list).toBeCloseTo((200 * 79 * 0.75) / p2, 9);
});

describe('of money', () => {
  const prices: Prices = {
    small: { inputPerMillion: 1_000_000, outputPerMillion: 10_000_000, cachedPerMillion: 500_000 },
    large: { inputPerMillion: 3_000_000, outputPerMillion: 30_000_000 },
  };
  const of: Family = {
    run: [calling(['look'], [100, 10]), calling(['ask'], [200, 20, 40]), saying('Done.', [300, 30, 100])],
    ask: [saying('Asked.', [1_000, 100])],
  };

  it('each model has its price, and what was read from a cache its own', async () => {
    const trace = await traceOfFamily(of);
    const [, p2 = 0, p3 = 0] = promptUnits(trace);
    const metrics = metricsOfTraces([trace], prices);
    // Input 100, 160 + 40 / 2 = 180, 200 + 100 / 2 = 250; output 600; the agent 3,000 + 3,000.
    expect(metrics.costShares).toMatchObject({ of: 'money', total: 7_130, leftOutRuns: 0 });
    expect(metrics.cost?.total).toBeCloseTo(7_130, 9);
    const { tools, replies } = tookOf(metrics);
    expect(tools.look).toBeCloseTo((180 * 20) / p2 + (250 * 20) / p3, 9);
    expect(tools.ask).toBeCloseTo(6_000 + (250 * 23) / p3, 9);
    expect(replies).toBeCloseTo(600 + (180 * 40) / p2 + (250 * 95) / p3, 9);
    expect(sumOf(metrics)).toBeCloseTo(1, 12);
  });

  it('a run whose agents asked a model without a price is in no share', async () => {
    const { small = { inputPerMillion: 1, outputPerMillion: 1 } } = prices;
    const metrics = metricsOfTraces([await traceOfFamily(of)], { small });
    expect(metrics.costShares).toEqual({ of: 'money', total: 0, instructions: null, replies: null, leftOutRuns: 1 });
    expect(sharesIn(metrics).every((share) => share === null)).toBe(true);
  });
});

describe('of a conversation that is told anew', () => {
  const run = [calling(['look'], [100, 10]), calling(['send'], [200, 20]), saying('Done.', [300, 30])];

  it('a run that went on from its snapshot', async () => {
    const trace = await resumedTrace({ run });
    const told = trace.flatMap((event) =>
      event.type === 'prompt.sent' ? [[event.messages, event.added?.length]] : [],
    );
    // The system message and the task; what was said since; the whole.
    expect(told).toEqual([
      [2, 2],
      [4, 2],
      [6, 6],
    ]);
    const [, p2 = 0, p3 = 0] = promptUnits(trace);
    const { tools, replies } = tookOf(metricsOfTraces([trace]));
    expect(tools).toEqual({
      look: expect.closeTo((200 * 20) / p2 + (300 * 20) / p3, 9),
      send: expect.closeTo((300 * 20) / p3, 9),
    });
    expect(replies).toBeCloseTo(60 + (200 * 40) / p2 + (300 * 80) / p3, 9);
  });

  /** The third prompt without the first reply and its result. */
  const shortened = (trace: readonly TraceEvent[], isWhole: boolean): readonly TraceEvent[] => {
    const first = trace.find((event) => event.type === 'prompt.sent');
    const begin = first?.type === 'prompt.sent' ? (first.added ?? []) : [];
    return trace.map((event) => {
      if (event.type !== 'prompt.sent' || event.step !== 3) return event;
      return { ...event, messages: 4, promptTokens: 1_000, added: [...(isWhole ? begin : []), ...(event.added ?? [])] };
    });
  };
  it.each([
    ['the whole of what is left is told', true],
    ['what was left out is not told: the oldest', false],
  ])('a context that left out old messages, where %s', async (_, isWhole) => {
    const list = [calling(['look'], [100, 10]), calling(['list'], [200, 20]), saying('Done.', [300, 30])];
    const trace = shortened(await traceOfFamily({ run: list }), isWhole);
    const [, p2 = 0] = promptUnits(trace);
    const metrics = metricsOfTraces([trace]);
    const { tools, replies } = tookOf(metrics);
    // A result that is not in the third prompt takes nothing of it.
    expect(tools).toEqual({
      look: expect.closeTo((200 * 20) / p2, 9),
      list: expect.closeTo((300 * 28) / 4_000, 9),
    });
    expect(replies).toBeCloseTo(60 + (200 * 40) / p2 + (300 * 40) / 4_000, 9);
    expect(sumOf(metrics)).toBeCloseTo(1, 12);
  });
});

describe('that are not known', () => {
  const looking = () => traceOfFamily({ run: [calling(['look'], [100, 10]), saying('Done.', [200, 20])] });
  const listing = () => traceOfFamily({ run: [calling(['list'], [100, 10]), saying('Done.', [200, 20])] });

  it.each<[string, (trace: readonly TraceEvent[]) => readonly TraceEvent[]]>([
    ['the trace does not tell what was sent', withoutAdded],
    ['events are missing', (trace) => trace.filter(({ type }) => type !== 'call.settled')],
    ['the trace begins later', (trace) => trace.slice(1)],
    [
      'texts were cut',
      (trace) => trace.map((event) => (event.type === 'prompt.sent' ? { ...event, cut: true } : event)),
    ],
  ])('are null where %s', async (_, change) => {
    const metrics = metricsOfTraces([change(await looking())]);
    expect(sharesIn(metrics).every((share) => share === null)).toBe(true);
    expect(metrics.costShares).toMatchObject({ total: 0, leftOutRuns: 1 });
    const page = reportPage(metrics);
    expect(page).toContain('<th scope="row">instructions, task and replies</th><td>–</td><td>–</td>');
    expect(page).toContain('In no share of tokens: 1 run, since its trace does not tell all that was sent.');
  });

  it('are of the other runs where there are some, and of a tool that only runs left out called none is told', async () => {
    const metrics = metricsOfTraces([await looking(), withoutAdded(await listing())]);
    expect(metrics.costShares).toMatchObject({ total: 330, leftOutRuns: 1 });
    expect(metrics.tools).toMatchObject([
      { tool: 'look', costShare: expect.any(Number) },
      { tool: 'list', costShare: null },
    ]);
    expect(sumOf(metrics)).toBeCloseTo(1, 12);
    expect(reportPage(metrics)).toContain('In no share of tokens: 1 run, since');
  });

  it('of no runs', () => {
    expect(metricsOfTraces([]).costShares).toEqual({
      ...{ of: 'tokens', total: 0, instructions: null, replies: null, leftOutRuns: 0 },
    });
  });
});

it('an input that is nested deeper than a stack breaks nothing', async () => {
  const trace = await traceOfFamily({ run: [calling(['look'], [100, 10]), saying('Done.', [200, 20])] });
  const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
  const nested = trace.map((event): TraceEvent => {
    if (event.type !== 'prompt.sent' || event.step !== 2) return event;
    const calls = [{ toolCallId: 'c00001001', tool: 'look', input: deep }];
    return { ...event, added: [{ role: 'assistant', content: '', calls }, ...(event.added ?? []).slice(1)] };
  });
  const [, p2 = 0] = promptUnits(nested);
  const metrics = metricsOfTraces([nested]);
  expect(tookOf(metrics).tools.look).toBeCloseTo((200 * 20) / p2, 9);
  expect(sumOf(metrics)).toBeCloseTo(1, 12);
});

const usage = fc.tuple(fc.nat(500), fc.nat(50), fc.nat(600));
const names = fc.constantFrom('look', 'list', 'ask', 'send', 'nope', 'constructor');
const reply = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.array(names, { minLength: 1, maxLength: 3 }), usage).map(([all, of]) => calling(all, of)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('', 'Done.', 'Action: look\nAction Input: {}'), usage)
      .map(([text, of]) => saying(text, of)),
  },
  { weight: 1, arbitrary: fc.constantFrom('Done.', '') },
);
const replies = fc.array(reply, { maxLength: 5 });
const runs = fc.record({
  of: fc.record({
    run: replies,
    ask: replies,
    expert: replies,
    dialect: fc.constantFrom('native' as const, 'labelled' as const),
  }),
  /** Where its trace breaks off, and which of its events is not there. */
  end: fc.double({ min: 0.3, max: 1, noNaN: true }),
  lost: fc.option(fc.nat(30), { freq: 6 }),
  isOld: fc.boolean(),
});

test.prop([fc.array(runs, { minLength: 1, maxLength: 3 }), fc.boolean()], { numRuns: 60 })(
  'shares sum up to 1, or all are null, whatever the runs',
  async (all, isPriced) => {
    const traces: (readonly TraceEvent[])[] = [];
    for (const { of, end, lost, isOld } of all) {
      const whole = await leftWaiting(of);
      const left = whole.slice(0, Math.ceil(end * whole.length)).filter((_, at) => at !== lost);
      traces.push(isOld && lost === null && end < 0.4 ? withoutAdded(left) : left);
    }
    const price = { inputPerMillion: 3, outputPerMillion: 7, cachedPerMillion: 1 };
    const metrics = metricsOfTraces(traces, isPriced ? { small: price, large: price } : undefined);
    const shares = sharesIn(metrics);
    const told = shares.filter((share) => share !== null);
    if (metrics.costShares.total === 0) expect(told).toEqual([]);
    else expect(told.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
    for (const share of told) expect(share).toBeGreaterThanOrEqual(0);
    if (metrics.costShares.leftOutRuns === 0 && metrics.cost !== null)
      expect(metrics.costShares.total).toBeCloseTo(metrics.cost.total, 9);
  },
);

/** Of a run that may wait for a person: to there. */
async function leftWaiting(of: Family): Promise<readonly TraceEvent[]> {
  const { clock, agent, trace } = family(of);
  agent.start('task', { runId: 'one' });
  await clock.pass(60_000);
  return [...trace];
}
