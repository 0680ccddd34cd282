/** What each gate refuses, lets through, and makes wait; `contract-rows-order.ts` has their order. */
import { acts, delays, read, returns, throws } from './contract-behaviours.ts';
import type { Fate, Row } from './contract-play.ts';

const call = (n: number | string, tool = 't') => ({ tool, input: { n } });
const form = (n: object) => ({ type: 'object', properties: { n }, required: ['n'] });
const once: Fate = ['refused', /t was not run: it may be called once in a run, and was\./];

const limits: readonly Row[] = [
  {
    what: 'rateLimit: a call waits while the run has time',
    tools: { t: read(returns('x'), { rateLimit: { calls: 1, perMs: 5_000 } }) },
    says: [[call(1)], [call(2)], [call(3)]],
    calls: [
      ['succeeded', 'x'],
      ['succeeded', 'x'],
      ['succeeded', 'x'],
    ],
    started: 't t t',
    startedAtMs: [0, 5_000, 10_000],
    tookMs: 10_000,
    gates: [],
  },
  {
    what: 'rateLimit: each try is a start',
    tools: { t: read(throws(new Error('no')), { retries: 2, rateLimit: { calls: 1, perMs: 7_000 } }) },
    says: [[call(1)]],
    calls: [['failed', /failed: no\..* \(It was tried 3 times\.\)$/]],
    started: 't t t',
    startedAtMs: [0, 7_000, 14_000],
    tookMs: 14_000,
  },
  {
    what: 'rateLimit: of one reply, each call waits for a place of its own',
    tools: { t: read(returns('x'), { rateLimit: { calls: 1, perMs: 1_000 } }) },
    says: [[call(1), call(2), call(3)]],
    calls: [
      ['succeeded', 'x'],
      ['succeeded', 'x'],
      ['succeeded', 'x'],
    ],
    started: 't t t',
    startedAtMs: [0, 1_000, 2_000],
    tookMs: 2_000,
  },
  {
    what: 'rateLimit: an abort while a call waits leaves nothing armed',
    tools: { t: acts(returns('x'), { rateLimit: { calls: 1, perMs: 5_000 } }) },
    says: [[call(1)], [call(2)]],
    abortAtMs: 2_000,
    calls: [
      ['succeeded', 'x'],
      ['cancelled', null],
    ],
    started: 't',
    ends: 'aborted',
    tookMs: 2_000,
  },
  {
    what: 'callLimit: of one reply, those that were let through count',
    tools: { t: read(returns('x'), { maxCallsPerRun: 1 }) },
    says: [[call(1), call(2)]],
    calls: [['succeeded', 'x'], once],
    started: 't',
    gates: ['callLimit'],
  },
  {
    what: 'callLimit: of one reply, those that were refused do not count',
    tools: { t: read(returns('x'), { maxCallsPerRun: 1, inputSchema: form({ type: 'integer' }) }) },
    says: [[call('one'), call(1)]],
    calls: [
      ['refused', /n: .*type/],
      ['succeeded', 'x'],
    ],
    started: 't',
    gates: ['input'],
  },
  {
    what: 'callLimit: tries of one call count once',
    tools: {
      t: read(throws(new Error('no')), { maxCallsPerRun: 2, retries: 1, rateLimit: { calls: 1, perMs: 1_000 } }),
    },
    says: [[call(1)], [call(2)]],
    calls: [
      ['failed', /tried 2 times/],
      ['failed', /tried 2 times/],
    ],
    started: 't t t t',
    startedAtMs: [0, 1_000, 2_000, 3_000],
    tookMs: 3_000,
  },
  {
    what: 'callLimit: what ran before a crash counts, and what was in flight counts once',
    tools: { t: read(delays(100, 'x'), { maxCallsPerRun: 2 }) },
    says: [[call(1)], [call(2)], [call(3)]],
    diesAtMs: 150,
    calls: [
      ['succeeded', 'x'],
      ['succeeded', 'x'],
      ['refused', /it may be called 2 times in a run, and was\./],
    ],
    started: 't t t',
    tookMs: 250,
    gates: ['callLimit'],
  },
  {
    what: 'callLimit: what is refused does not count',
    tools: { t: read(returns('x'), { maxCallsPerRun: 1, inputSchema: form({ type: 'integer' }) }) },
    says: [[call('one')], [call(1)], [call(2)]],
    agent: { budget: { maxToolErrors: 9 } },
    calls: [['refused', /n: .*type/], ['succeeded', 'x'], once],
    started: 't',
    gates: ['input', 'callLimit'],
  },
];

const inputs: readonly Row[] = [
  {
    what: 'tool: an unknown name, with the nearest',
    tools: { query_metrics: read(returns('x')) },
    says: [[call(1, 'queryMetric')]],
    calls: [
      [
        'refused',
        '[ToolError] There is no tool called "queryMetric". Did you mean "query_metrics"? The tools are: query_metrics.',
      ],
    ],
    started: '',
    gates: ['tool'],
  },
  {
    what: 'input: one that almost fits is taken as it was surely meant',
    tools: { t: read(({ input }) => input, { inputSchema: form({ type: 'integer' }) }) },
    says: [[call('5')]],
    calls: [['succeeded', '{"n":5}']],
    started: 't',
    gates: [],
  },
  {
    what: 'duplicate: an input is equal whatever the order of its keys',
    tools: { t: acts() },
    says: [[{ tool: 't', input: { a: 1, b: 2 } }], [{ tool: 't', input: { b: 2, a: 1 } }]],
    calls: [
      ['succeeded', 'sent'],
      ['refused', /call 1\.1 had the same input and succeeded/],
    ],
    started: 't',
    gates: ['duplicate'],
  },
  {
    what: 'duplicate: the input as it would run counts, not as it was written',
    tools: { t: acts(returns('sent'), { inputSchema: form({ type: 'integer' }) }) },
    says: [[call(5)], [call('5')]],
    calls: [
      ['succeeded', 'sent'],
      ['refused', /call 1\.1 had the same input and succeeded/],
    ],
    started: 't',
    gates: ['duplicate'],
  },
  {
    what: 'required: a tool that ends the run waits for those that must come first',
    tools: { need: read(returns('x')), t: acts(returns('sent'), { endsRun: true }) },
    says: [[call(1)], [call(1, 'need')], [call(1)]],
    agent: { requireTools: ['need'] },
    calls: [
      ['refused', /t was not run: need must succeed before\. Call need first\./],
      ['succeeded', 'x'],
      ['succeeded', 'sent'],
    ],
    started: 'need t',
    answer: 'sent',
    gates: ['required'],
  },
];

export const gateRows: readonly Row[] = [...limits, ...inputs];
