/** The schema of journals: every kind of line as it is passes; with any member of another type, or without it, it is refused. */
import { expect, test } from 'vitest';
import type { JournalLine } from '../../src/core/store.ts';
import { readJournal } from '../../src/stores/read-journal.ts';
import { checkpoint, ended, settled, started } from './lines.ts';

type Kinds = { readonly [Type in JournalLine['type']]: Extract<JournalLine, { readonly type: Type }> };

const place = { sequence: 1, state: { ACTION: 'running' }, wallMs: 5, ignored: true };
const outside = { ...place, atMs: 3 };
const ofStep = { ...outside, step: 1 };
const ofCall = { ...ofStep, callId: '1.1' };
const tokens = { inputTokens: 1, outputTokens: 2, estimated: false };
const ofReply = { ...ofStep, tokens, attempt: 2 };
const spent = { steps: 1, toolCalls: 2, tokens };
const error = {
  name: 'Error',
  message: 'no',
  stack: 'at',
  cause: { name: 'E', message: 'm', stack: null, cause: null },
};
const calls = [{ tool: 'search', input: { query: '天气' }, repaired: true }];
const waiting = [{ toolCallId: '1.1', tool: 'search', input: {} }];
const beginning = started('run');
if (beginning.type !== 'run.started') throw new Error('A run begins with run.started.');
const end = ended(1, 'suspended', waiting);
if (end.type !== 'run.ended') throw new Error('A run ends with run.ended.');
const result = settled(1, { a: 1 });
if (result.type !== 'call.settled') throw new Error('A call ends with call.settled.');

const kinds: Kinds = {
  checkpoint: checkpoint('run', 1),
  'run.started': {
    ...beginning,
    sequence: 0,
    policy: { allow: ['search'] },
    limits: { ...beginning.limits, loopGuard: { warnAt: 2, endAt: 4, cycleMax: 4 }, maxEmptyResults: 3 },
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: '', calls: waiting, providerData: [1] },
      { role: 'tool', content: 'found', toolCallId: '1.1', isError: true },
    ],
  },
  'run.resumed': {
    ...{ ...place, type: 'run.resumed', runId: 'run', limits: beginning.limits, policy: 'ask', spent },
    askedAnew: true,
    calls: [
      {
        ...{ callId: '1.1', tool: 'search', input: {}, repaired: false, status: 'asking', effect: 'unmarked' },
        ...{ endsRun: false, empty: false, key: 'key', resultKey: '' },
      },
    ],
  },
  'run.ended': end,
  'prompt.sent': { ...ofStep, type: 'prompt.sent', attempt: 2, promptTokens: 9, messages: 2 },
  'model.asked': {
    ...{ ...ofStep, type: 'model.asked', attempt: 2, provider: 'openai', name: 'm' },
    insteadOf: { provider: 'openai', name: 'n', failure: 'connection', message: 'm', hint: 'h' },
  },
  'call.nested': { ...ofCall, type: 'call.nested', event: { ...ofStep, type: 'loop.warned' } },
  'loop.warned': { ...ofStep, type: 'loop.warned' },
  'call.retried': { ...ofCall, type: 'call.retried', attempt: 1, waitMs: 5, observation: 'o', error },
  'reply.stopped': {
    ...ofReply,
    type: 'reply.stopped',
    stop: 'action',
    thought: 't',
    calls,
    text: 't',
    savedTokens: 3,
  },
  'reply.ended': {
    ...{ ...ofReply, type: 'reply.ended', thought: 't', calls, answer: 'a', violation: 'empty', hint: 'h', text: 't' },
    ...{ dropped: 'd', dialect: 'json', providerData: { a: 1 } },
  },
  'reply.truncated': {
    ...{ ...ofReply, type: 'reply.truncated', thought: 't', partial: 'p', violation: 'too_long', hint: 'h', text: 't' },
  },
  'reply.filtered': { ...ofReply, type: 'reply.filtered' },
  'reply.failed': { ...ofReply, type: 'reply.failed', failure: 'timeout', message: 'm', hint: 'h', retryAtMs: 3 },
  'prompt.refused': { ...ofStep, type: 'prompt.refused', promptTokens: 3 },
  'calls.checked': {
    ...{ ...ofStep, type: 'calls.checked' },
    verdicts: [
      {
        ...{ callId: '1.1', pass: 'ask', input: {}, observation: 'o', effect: 'sideEffect', endsRun: false, key: 'k' },
        ...{ gate: 'policy', rule: 'mark', coerced: ['limit'] },
      },
    ],
  },
  'approval.asked': { ...ofStep, type: 'approval.asked', untilMs: 3 },
  'approval.granted': { ...ofCall, type: 'approval.granted', input: {}, key: 'k', by: 'Ada', edited: true },
  'approval.denied': {
    ...{
      ...ofCall,
      type: 'approval.denied',
      observation: 'o',
      cause: 'timeout',
      by: 'Ada',
      why: 'w',
      input: {},
      key: 'k',
    },
  },
  'call.settled': { ...result, empty: true, notes: ['n'], spent, error },
  'answer.accepted': { ...ofStep, type: 'answer.accepted', answer: 'a', notes: ['n'] },
  'answer.rejected': { ...ofStep, type: 'answer.rejected', hint: 'h' },
  'run.aborted': { ...outside, type: 'run.aborted', why: 'w', tokens, waiting: ['1.1'], spent },
  'clock.expired': { ...outside, type: 'clock.expired', tokens, waiting: ['1.1'], spent },
  'store.failed': { ...outside, type: 'store.failed', message: 'm', hint: 'h', tokens, waiting: ['1.1'], spent },
  'machine.failed': { ...outside, type: 'machine.failed', message: 'm' },
};

/** Any JSON may stand there, or it is checked by whoever goes on from a checkpoint. */
const open = new Set(['input', 'output', 'providerData', 'event']);
const ofResume = /^snapshot\.(machineHash|tools|uncharged|atMs|modelCalls|history\.open|context\.(?!calls|stopReason))/;
const optional = new Set(
  [
    'ignored',
    'attempt',
    'spent',
    'waiting',
    'savedTokens',
    'dialect',
    'providerData',
    'retryAtMs',
    'gate',
    'rule',
  ].concat([
    'coerced',
    'empty',
    'error',
    'notes',
    'insteadOf',
    'calls',
    'isError',
    'repaired',
    'uncharged',
    'askedAnew',
  ]),
);

const read = (line: unknown) =>
  readJournal(
    [started('run'), line].slice(isFirst(line) ? 1 : 0).map((one) => JSON.stringify(one)),
    {
      runId: 'run',
      store: 'the test',
    },
  );
const isFirst = (line: unknown) => JSON.stringify(line).includes('"type":"run.started"');

type Change = readonly [path: string, line: unknown, isRemoval: boolean];

/** The line with each of its members in turn of another type, or removed. */
function changes(value: unknown, path: readonly string[] = []): Change[] {
  if (typeof value !== 'object' || value === null || open.has(path.at(-1) ?? '')) return [];
  return Object.entries(value).flatMap(([key, member]): Change[] => {
    const put = (other: unknown) => Object.assign(Array.isArray(value) ? [...value] : { ...value }, { [key]: other });
    const here = [...path, key];
    const inner = changes(member, here).map(([at, changed, removed]): Change => [at, put(changed), removed]);
    if (open.has(key)) return inner;
    const odd = typeof member === 'number' ? 'seven' : member === null ? [true] : 7;
    const rest = Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
    const removal: Change[] = Array.isArray(value) || optional.has(key) ? [] : [[here.join('.'), rest, true]];
    return [...inner, [here.join('.'), put(odd), false], ...removal];
  });
}

test.each(Object.entries(kinds))('%s', (type, line) => {
  expect(read(line).at(-1)).toEqual(line);
  expect(read({ ...line, later: { of: 'a later version' } }).at(-1)).toHaveProperty('later');
  const all = changes(line).filter(([path]) => !ofResume.test(path) && !/\bstate\./.test(path));
  expect(all.length).toBeGreaterThan(5);
  for (const [path, changed, isRemoval] of all) {
    // What it would have run with is there only where a gate refused it.
    if (isRemoval && type === 'approval.denied' && path === 'key') continue;
    expect(() => read(changed), `${type} ${isRemoval ? 'without' : 'with another'} ${path}`).toThrow(
      expect.objectContaining({
        code: 'invalid_journal',
        message: expect.stringMatching(/^Line [12] .*Nothing was changed/),
      }),
    );
  }
});
