/** The fuse of tools, which refusals feed as well, and names that break a record. */
import { acts, asking, read, returns } from './contract-behaviours.ts';
import type { Fate, Row } from './contract-play.ts';

const call = (tool: string, n = 1) => ({ tool, input: { n } });
const seen: Fate = ['succeeded', 'seen'];
const unknownTool: Fate = ['refused', /^\[ToolError\] There is no tool called "gone"\./];

const fuse = (what: string, row: Pick<Row, 'tools' | 'says' | 'calls' | 'started'> & Partial<Row>): Row => ({
  what: `the fuse: ${what}`,
  agent: { budget: { maxToolErrors: 2 } },
  ends: 'tool_errors_exhausted',
  ...row,
});
const spent: Fate = ['refused', /it may be called once in a run/];

const fuses: readonly Row[] = [
  fuse('unknown names', {
    tools: {},
    says: [[call('gone')], [call('gone')]],
    calls: [unknownTool, unknownTool],
    started: '',
  }),
  fuse('a limit that only refuses', {
    tools: { look: read(returns('seen'), { maxCallsPerRun: 1 }) },
    says: [[call('look')], [call('look', 2)], [call('look', 3)]],
    calls: [seen, spent, spent],
    started: 'look',
  }),
  fuse('a policy that only refuses', {
    tools: { t: acts() },
    says: [[call('t')], [call('t')]],
    agent: { policy: 'readOnly', budget: { maxToolErrors: 2 } },
    calls: [
      ['refused', /There is none: answer without tools\./],
      ['refused', /only tools that read/],
    ],
    started: '',
  }),
  fuse('a person who only refuses', {
    tools: { t: asking() },
    says: [[call('t')], [call('t')]],
    person: { '1.1': (run, id) => run.deny(id), '2.1': (run, id) => run.deny(id) },
    calls: [
      ['refused', /was not allowed to run/],
      ['refused', /was not allowed to run/],
    ],
    started: '',
  }),
  fuse('one call of a step that succeeds spares it', {
    tools: { look: read(returns('seen')) },
    says: [
      [call('gone'), call('look')],
      [call('gone'), call('look')],
    ],
    calls: [unknownTool, seen, unknownTool, seen],
    started: 'look look',
    ends: undefined,
  }),
];

const hostile = ['constructor', '__proto__', 'toString', 'hasOwnProperty', '查询'];

const names: readonly Row[] = [
  ...hostile.map(
    (name): Row => ({
      what: `a tool called ${name} is a tool like any other`,
      tools: Object.fromEntries([[name, acts(({ input }) => input)]]),
      says: [[call(name)], [call(name)]],
      calls: [
        ['succeeded', '{"n":1}'],
        ['refused', /was not run again: call 1\.1/],
      ],
      started: name,
    }),
  ),
  ...hostile.map(
    (name): Row => ({
      what: `no tool called ${name} is simply unknown`,
      tools: { look: read(returns('x')) },
      says: [[call(name)]],
      calls: [['refused', `[ToolError] There is no tool called "${name}". The tools are: look.`]],
      started: '',
      gates: ['tool'],
    }),
  ),
  {
    what: 'keys of every object in an input are keys like any other',
    tools: { t: read(({ input }) => input) },
    says: [{ calls: [{ tool: 't', inputText: '{"__proto__":{"a":1},"constructor":2,"toString":3}' }] }],
    calls: [['succeeded', '{"__proto__":{"a":1},"constructor":2,"toString":3}']],
    started: 't',
  },
];

export const refusalRows: readonly Row[] = [...fuses, ...names];
