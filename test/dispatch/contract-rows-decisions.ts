/** How far a decision goes: it counts once, for one call and one input, also where several calls wait and a process dies. */
import { expect } from 'vitest';
import { acts, asking, commitsThenHangs, delays, read, returns } from './contract-behaviours.ts';
import { call, denied, edit, no, nobody, sent, shows, twice, yes } from './contract-person.ts';
import type { Row } from './contract-play.ts';

/** Answers later, as a schema that looks something up. */
const slowSchema = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: async (value: unknown) => ({ value }),
  },
};

const bound: readonly Row[] = [
  {
    what: 'a yes counts once',
    tools: { t: shows },
    says: [[call(1)]],
    person: { '1.1': twice(yes, yes) },
    calls: [['succeeded', '{"n":1}']],
    started: 't',
    effects: 1,
  },
  {
    what: 'a no is not taken back',
    tools: { t: shows },
    says: [[call(1)]],
    person: { '1.1': twice(no, yes) },
    calls: [denied],
    started: '',
  },
  {
    what: 'a yes is for this input: another asks again',
    tools: { t: asking() },
    says: [[call(1)], [call(2)]],
    person: { '1.1': yes, '2.1': no },
    calls: [sent, denied],
    started: 't',
    gates: ['approval', 'approval'],
  },
  {
    what: 'a yes is for this call: the same again asks again, and may be allowed',
    tools: { t: asking() },
    says: [[call(1)], [call(1)], [call(1)]],
    person: { '1.1': yes, '2.1': yes, '3.1': no },
    calls: [sent, sent, denied],
    started: 't t',
    effects: 2,
  },
  {
    what: 'a person may allow what perhaps happened before',
    tools: { t: asking(commitsThenHangs) },
    says: [[call(1)], [call(1)]],
    person: { '1.1': yes, '2.1': yes },
    calls: [
      ['unknown', /nobody knows/],
      ['unknown', /nobody knows/],
    ],
    started: 't t',
    unknown: '1.1 2.1',
    tookMs: 2_000,
  },
  {
    what: 'a yes for what must not happen twice is asked for by the tool alone: the rest is refused unasked',
    tools: { t: acts() },
    says: [[call(1)], [call(1)]],
    person: { '1.1': yes, '2.1': yes },
    calls: [sent, ['refused', /was not run again/]],
    started: 't',
    effects: 1,
    gates: ['duplicate'],
  },
  {
    what: 'what a person made of the input is what was done: the same as that is known',
    tools: { t: { does: commitsThenHangs, needsApproval: ({ n }: { n: number }) => n === 1 } },
    says: [[call(1)], [call(2)]],
    person: { '1.1': edit({ n: 2 }) },
    calls: [
      ['unknown', /nobody knows/],
      ['refused', /call 1\.1 had the same input, was started/],
    ],
    started: 't',
    unknown: '1.1',
    tookMs: 1_000,
    gates: ['approval', 'duplicate'],
  },
  {
    what: 'a yes with an edit is the decision, also while its input is still being checked',
    tools: { t: asking(returns('sent'), { inputSchema: slowSchema }) },
    says: [[call(1)]],
    person: {
      '1.1': (run, callId) => {
        run.approve(callId, { input: { n: 2 } });
        expect(() => run.deny(callId, 'not today')).toThrow(expect.objectContaining({ code: 'not_awaiting' }));
        expect(() => run.approve(callId)).toThrow(expect.objectContaining({ code: 'not_awaiting' }));
      },
    },
    calls: [['succeeded', 'sent\n(A person changed the input to {"n":2}.)']],
    started: 't',
    effects: 1,
  },
];

const several: readonly Row[] = [
  {
    what: 'several calls of one reply: each has its own word',
    tools: { t: shows, look: read(returns('x')) },
    says: [[call(1), call(2), call(3), call(4, 'look')]],
    person: { '1.1': no, '1.2': yes, '1.3': edit({ n: 9 }) },
    calls: [
      ['refused', /not today.*Other tools: look\./],
      ['succeeded', '{"n":2}'],
      ['succeeded', '{"n":9}\n(A person changed the input to {"n":9}.)'],
      ['succeeded', 'x'],
    ],
    started: 'look t t', // nobody has to wait for a person but those that ask
    effects: 3,
  },
  {
    what: 'several calls, of which a person decides one, and the time the other',
    tools: { t: shows },
    says: [[call(1), call(2)]],
    person: { '1.2': yes },
    agent: { timeouts: { approvalMs: 60_000 } },
    calls: [nobody, ['succeeded', '{"n":2}']],
    started: 't',
    tookMs: 60_000,
  },
  {
    what: 'what was in flight when the process died is not asked about again, and not done again',
    tools: { t: asking(delays(200, 'sent')) },
    says: [[call(1)], [call(1)]],
    person: { '1.1': yes },
    diesAtMs: 100,
    later: { person: { '2.1': no } },
    calls: [['unknown', /had been started when the run was interrupted/], denied],
    started: 't',
    unknown: '1.1',
    effects: 1, // it commits all the same
    tookMs: 100,
  },
  {
    what: 'a process that dies while a person thinks asks again',
    tools: { t: shows },
    says: [[call(1)]],
    person: {},
    diesAtMs: 100,
    later: { person: { '1.1': yes } },
    calls: [['succeeded', '{"n":1}']],
    started: 't',
    effects: 1,
    tookMs: 100,
  },
];

export const decisionRows: readonly Row[] = [...bound, ...several];
