/** Several calls in one reply, and runs that end in the middle of them. */
import { acts, commitsThenHangs, delays, hangs, read, rejectsOnAbort, returns, throws } from './contract-behaviours.ts';
import type { Fate, Row } from './contract-play.ts';

const call = (tool: string, n = 1) => ({ tool, input: { n } });
const seen: Fate = ['succeeded', 'seen'];
const cancelled: Fate = ['cancelled', null];
const unknownTool: Fate = ['refused', /^\[ToolError\] There is no tool called "gone"\./];

const replies: readonly Row[] = [
  {
    what: 'each call of a reply has its own fate, and results stand in the order of the calls',
    tools: {
      slow: read(delays(500, 'slow')),
      quick: read(returns('quick')),
      broken: read(throws(new Error('no'))),
      silent: acts(commitsThenHangs),
      send: acts(),
    },
    says: [[call('slow'), call('gone'), call('quick'), call('broken'), call('silent'), call('send')]],
    calls: [
      ['succeeded', 'slow'],
      unknownTool,
      ['succeeded', 'quick'],
      ['failed', /broken failed: no\./],
      ['unknown', /nobody knows/],
      ['succeeded', 'sent'],
    ],
    started: 'slow quick broken silent send',
    unknown: '1.5',
    tookMs: 1_500,
    effects: 4,
    gates: ['tool'],
  },
  {
    what: 'of equal calls of one reply one runs',
    tools: { t: { does: returns('seen') } },
    says: [[call('t'), call('t'), call('t', 2)]],
    calls: [seen, ['refused', /^\[ToolError\] t was run once: call 1\.1 of the same reply has the same input\./], seen],
    started: 't t',
    gates: ['duplicate'],
  },
  {
    what: 'of equal calls of one reply all run, where they read or are idempotent',
    tools: { look: read(returns('seen')), put: { does: returns('seen'), idempotent: true } },
    says: [[call('look'), call('look'), call('put'), call('put')]],
    calls: [seen, seen, seen, seen],
    started: 'look look put put',
  },
  {
    what: 'a success of a tool that ends the run is the answer; the rest of its reply is not run',
    tools: { close: acts(returns({ sum: 7 }), { endsRun: true }), t: acts() },
    says: [[call('close'), call('t')]],
    calls: [
      ['succeeded', '{"sum":7}'],
      ['cancelled', null],
    ],
    started: 'close',
    answer: '{"sum":7}',
  },
  {
    what: 'a tool that ends the run and gives nothing has an answer all the same',
    tools: { close: acts(returns(undefined), { endsRun: true }) },
    says: [[call('close')]],
    calls: [['succeeded', '(The tool succeeded and returned nothing.)']],
    started: 'close',
    answer: '(The tool succeeded and returned nothing.)',
  },
  {
    what: 'a tool that ends the run and fails does not',
    tools: { close: acts(throws(new Error('no')), { endsRun: true }) },
    says: [[call('close')]],
    calls: [['failed', /close failed: no\./]],
    started: 'close',
  },
  {
    what: 'a tool that ends the run and of which nobody knows does not',
    tools: { close: acts(hangs, { endsRun: true }) },
    says: [[call('close')]],
    calls: [['unknown', /nobody knows/]],
    started: 'close',
    unknown: '1.1',
    tookMs: 1_000,
  },
  {
    what: 'a budget of tool calls that is spent in the middle of a reply: none of it is begun',
    tools: { t: acts() },
    says: [[call('t')], [call('t', 2), call('t', 3)]],
    agent: { budget: { maxToolCalls: 2 } },
    calls: [['succeeded', 'sent'], cancelled, cancelled],
    started: 't',
    ends: 'max_tool_calls',
  },
];

const ends: readonly Row[] = [
  {
    what: 'an abort in the middle of reads: they are left, and the rest is not begun',
    tools: { look: read(rejectsOnAbort), t: acts() },
    says: [[call('look'), call('look', 2), call('t')]],
    abortAtMs: 300,
    calls: [cancelled, cancelled, cancelled],
    started: 'look look',
    ends: 'aborted',
    tookMs: 300,
  },
  {
    what: 'an abort in the middle of an effect: nobody knows what came of it',
    tools: { t: acts(delays(500, 'sent')) },
    says: [[call('t'), call('t', 2)]],
    abortAtMs: 300,
    calls: [['unknown', null], cancelled],
    started: 't',
    ends: 'aborted',
    unknown: '1.1',
    tookMs: 300,
    effects: 1, // behind the end, where nobody hears of it
  },
  {
    what: 'an abort between two tries: there is no other',
    tools: { look: read(throws(new Error('no')), { retries: 9 }) },
    says: [[call('look')]],
    abortAtMs: 1,
    calls: [cancelled],
    started: 'look',
    ends: 'aborted',
    tookMs: 1,
  },
  {
    what: 'an abort while the gates wait: nothing was begun',
    tools: { t: acts(returns('sent'), { needsApproval: () => new Promise(() => {}) }) },
    says: [[call('t')]],
    abortAtMs: 300,
    calls: [cancelled],
    started: '',
    ends: 'aborted',
    tookMs: 300,
  },
  {
    what: 'the running time is over in the middle of an effect',
    tools: { t: acts(hangs) },
    says: [[call('t')]],
    agent: { budget: { wallClockMs: 400 } },
    calls: [['unknown', null]],
    started: 't',
    ends: 'timeout',
    unknown: '1.1',
    tookMs: 400,
  },
  {
    what: 'a process that dies while a read is in flight reads again',
    tools: { look: read(delays(200, 'seen')) },
    says: [[call('look')]],
    diesAtMs: 100,
    calls: [seen],
    started: 'look look',
    tookMs: 300,
  },
  {
    what: 'a process that dies while an unmarked tool is in flight does not start it again',
    tools: { t: { does: delays(200, 'seen') } },
    says: [[call('t')], [call('t')]],
    diesAtMs: 100,
    calls: [
      ['unknown', /had been started when the run was interrupted/],
      ['refused', /was not run again: call 1\.1/],
    ],
    started: 't',
    unknown: '1.1',
    tookMs: 100,
  },
];

export const replyRows: readonly Row[] = [...replies, ...ends];
