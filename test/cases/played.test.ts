/** Words of the format that the file of cases does not use yet: each is played, and what it does is seen. */
import { expect, test } from 'vitest';
import { judge } from './judge.ts';
import { observe } from './observe.ts';
import { act, answer, aTool, type Plant, plant } from './planted.ts';

const asks = (given: object = {}) => aTool({ sideEffect: true, approval: 'required', ...given });
const ends = (stopReason: string, more: object = {}) => ({ outcome: 'error', stopReason, ...more });
const final = (more: object = {}) => ({ outcome: 'final', stopReason: 'final', ...more });
const stream = (...pieces: readonly object[]) => pieces.map((piece) => `data: ${JSON.stringify(piece)}\n\n`);

/** Written as pairs: an object literal with this member looks like a promise to the linter. */
const ifRequest = (wanted: string | object, reply: string, more: object) =>
  Object.fromEntries([['ifRequest', wanted], ['then', reply], ...Object.entries(more)]);

const rows: readonly (readonly [string, Plant])[] = [
  [
    'a template stands for many replies',
    {
      given: {
        replies: [{ template: act('t', { i: '{i}' }), from: 3, count: 2 }, answer('done')],
        budget: { loopGuard: 'off' },
      },
      expect: final({
        toolCalls: [
          { name: 't', args: { i: '3' } },
          { name: 't', args: { i: '4' } },
        ],
      }),
    },
  ],
  [
    'a reply depends on the request',
    {
      given: { replies: [ifRequest('Observation: v', answer('seen'), { else: act('t'), repeat: 2 })] },
      expect: final({ answer: 'seen', modelCalls: 2 }),
    },
  ],
  [
    'a reply depends on more than words',
    {
      given: { replies: [ifRequest({ messages: 2, lacks: 'Observation: v' }, answer('first'), { else: 'no' })] },
      expect: final({ answer: 'first' }),
    },
  ],
  [
    'a wait counts from what went before',
    {
      given: { tools: [aTool({ behaviour: 'hangs', timeoutMs: 5000 })], events: [{ at: 'wait+50ms', do: 'abort' }] },
      expect: ends('aborted', { 'must not': [{ code: 'elapsed_over_ms', n: 50 }], signalAborted: true }),
    },
  ],
  [
    'a tool that heeds its signal is told of the abort',
    {
      given: {
        tools: [aTool({ behaviour: 'rejectsOnAbort', timeoutMs: 5000 })],
        events: [{ at: 'tool:t+20ms', do: 'abort' }],
      },
      expect: ends('aborted', { signalAborted: ['t'] }),
    },
  ],
  [
    'a snapshot is resumed twice, with the same decision',
    {
      given: {
        replies: [act('t'), answer('done'), answer('again')],
        tools: [asks()],
        events: [
          { at: 'suspended', do: 'snapshot+newProcess+restore' },
          { at: 'restored', do: 'approve', tool: 't' },
        ],
      },
      expect: final({
        callKeyStable: true,
        toolCalls: [{ name: 't', times: 2 }],
        phase1: { outcome: null, stopReason: 'suspended' },
        secondResume: { outcome: 'final', answer: 'again' },
      }),
    },
  ],
  [
    'a run that nobody decides about ends as suspended',
    {
      given: { tools: [asks()] },
      expect: { outcome: null, stopReason: 'suspended', toolCalls: [], result: { hasSnapshot: true } },
    },
  ],
  [
    'a refusal says why',
    {
      given: { tools: [asks()], events: [{ at: 'suspended', do: 'reject', tool: 't', reason: 'too dear' }] },
      expect: final({ toolCalls: [], 'observations contain': ['too dear'] }),
    },
  ],
  [
    'an approval at once is in time',
    {
      given: { tools: [asks()], events: [{ at: 'suspended', do: 'approveImmediately', tool: 't' }] },
      expect: final({ toolCalls: [{ name: 't', times: 1 }] }),
    },
  ],
  [
    'an approval may carry its arguments',
    {
      given: { tools: [asks()], events: [{ at: 'suspended', do: 'approve', approvedArgs: { i: 2 } }] },
      expect: final({ toolCalls: [{ name: 't', args: { i: 2 } }] }),
    },
  ],
  [
    'a limit is raised with a restore',
    {
      given: {
        replies: [act('t'), act('u'), answer('done')],
        budget: { maxSteps: 2 },
        tools: [asks(), aTool({ name: 'u' })],
        events: [{ at: 'suspended', do: 'snapshot+restore+raise maxSteps to 3+approve' }],
      },
      expect: final({ modelCalls: 3 }),
    },
  ],
  [
    'a part of a snapshot is edited by its path',
    {
      given: {
        tools: [asks()],
        events: [
          { at: 'suspended', do: 'snapshot' },
          { at: 'later', do: 'editSnapshot', path: 'format', set: 'another/1' },
          { at: 'later', do: 'restore' },
        ],
      },
      expect: { outcome: 'error', stopReason: null, phase: 'restore' },
    },
  ],
  [
    'a crash between two steps costs no model call that was answered',
    {
      given: { events: [{ at: 'step:1', do: 'snapshot+crash+newProcess+restore' }] },
      expect: final({ modelCalls: 2, toolCalls: [{ name: 't', times: 1 }] }),
    },
  ],
  [
    'a tool that is not offered does not exist for the run',
    {
      given: { tools: [aTool({ offered: false }), aTool({ name: 'u' })] },
      expect: final({ toolCalls: [], 'must not': [{ code: 'tool_called', tool: 't' }] }),
    },
  ],
  [
    'a sequence of behaviours, one a call',
    {
      given: {
        replies: [act('t', { i: 1 }), act('t', { i: 2 }), answer('done')],
        tools: [aTool({ behaviour: 'sequence', value: [{ throws: 'boom' }, { delays: { ms: 5, value: 'late' } }] })],
      },
      expect: final({ 'observations contain': ['boom', 'late'] }),
    },
  ],
  [
    'a plain schema refuses what does not fit',
    {
      given: {
        replies: [act('t', { n: 'x' }), act('t', { n: 1 }), answer('done')],
        tools: [aTool({ schema: { n: 'number' } })],
      },
      expect: final({ toolCalls: [{ name: 't', args: { n: 1 } }] }),
    },
  ],
  [
    'a stream over HTTP, cut inside a character, with usage',
    {
      given: {
        replies: undefined,
        http: [
          {
            status: 200,
            chunks: [
              ...stream({ choices: [{ delta: { content: answer('done') }, finish_reason: 'stop' }] }),
              ...stream({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } }),
              { hex: Buffer.from('data: [DONE]\n\n').toString('hex') },
            ],
            delayMs: 5,
          },
        ],
      },
      expect: final({
        usage: { total: 9, input: 7, output: 2, estimated: false },
        httpRequests: 1,
        requests: { 1: { hasParam: ['temperature', 'stream_options.include_usage'], roles: ['system', 'user'] } },
        'must not': [{ code: 'open_handles_after_end' }],
      }),
    },
  ],
  [
    'every entry can be imported, and all share one copy',
    {
      given: { setup: { kind: 'import' } },
      expect: { 'must not': [{ code: 'import_error' }, { code: 'two_copies_loaded' }] },
    },
  ],
  [
    'the first program is short, and needs no class',
    {
      given: { setup: { kind: 'quickstart' } },
      expect: { 'must not': [{ code: 'quickstart_lines_over', n: 15 }, { code: 'subclass_needed' }] },
    },
  ],
];

test.each(rows)('%s', async (_what, what) => {
  const one = plant(what);
  expect(judge(one, await observe(one))).toEqual([]);
});
