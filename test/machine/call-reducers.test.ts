/** What becomes of calls: how they are let through, start, settle and are given up, and which effects are kept. */
import { describe, expect, it } from 'vitest';
import * as reducers from '../../machines/reducers.ts';
import { fingerprint } from '../../src/core/fingerprint.ts';
import { call, calls, changes, context, everyEvent, granted, settled } from './contexts.ts';
import * as e from './driver.ts';
import { effect, type Table, walk } from './reducer-table.ts';

const spent = { steps: 3, toolCalls: 2, tokens: e.tokens(8) };

const table: Table = {
  keepVerdicts: {
    reducer: reducers.keepVerdicts,
    knows: ['calls.checked'],
    rows: [
      [
        'one a call, in their order',
        { calls: calls('read', 'read', 'read') },
        {
          ...e.checked('rax', { input: { q: 2 }, effect: 'sideEffect', key: 'new', observation: 'no' }),
        },
        {
          calls: [
            call({ status: 'ready', input: { q: 2 }, effect: 'sideEffect', key: 'new' }),
            call({ callId: '1.2', status: 'asking', input: { q: 2 }, effect: 'sideEffect', key: 'new' }),
            call({
              callId: '1.3',
              status: 'refused',
              input: { q: 2 },
              effect: 'sideEffect',
              key: 'new',
              resultKey: fingerprint('no'),
            }),
          ],
        },
      ],
      [
        'with whether a call ends the run; a refusal without words is an empty one',
        { calls: calls('read', 'read') },
        e.checked('ex', { observation: null, key: 'key' }),
        {
          calls: [
            call({ status: 'ready', endsRun: true }),
            call({ callId: '1.2', status: 'refused', resultKey: fingerprint('') }),
          ],
        },
      ],
      ['and leaves a call without one as it is', { calls: calls('read') }, e.checked(''), { calls: calls('read') }],
    ],
  },
  keepDecision: {
    reducer: reducers.keepDecision,
    knows: ['approval.granted', 'approval.denied'],
    rows: [
      [
        'yes: as it was edited',
        { calls: calls('asking', 'asking') },
        granted({ callId: '1.2', input: { q: 'edited' }, key: 'edited' }),
        {
          calls: [
            call({ status: 'asking' }),
            call({ callId: '1.2', status: 'ready', input: { q: 'edited' }, key: 'edited' }),
          ],
        },
      ],
      [
        'no: a refusal with its reason',
        { calls: calls('asking', 'asking') },
        e.denied(1),
        {
          calls: [call({ status: 'refused', resultKey: fingerprint('no') }), call({ callId: '1.2', status: 'asking' })],
        },
      ],
      ['of no call that there is', { calls: calls('asking') }, e.granted(7), { calls: calls('asking') }],
    ],
  },
  keepResult: {
    reducer: reducers.keepResult,
    knows: ['call.settled'],
    rows: [
      [
        'of that call alone',
        { calls: calls('started', 'started') },
        e.settled(2, 'failed', { output: 'result' }),
        { calls: [call({ status: 'started' }), call({ callId: '1.2', status: 'failed', resultKey: 'result' })] },
      ],
      [
        'which is the answer where the call ends the run',
        { calls: [call({ status: 'started', endsRun: true })] },
        e.settled(1, 'succeeded', { output: 'text' }),
        { calls: [call({ status: 'succeeded', endsRun: true, resultKey: 'text' })], answer: 'text' },
      ],
      [
        'which is the answer as JSON',
        { calls: [call({ status: 'started', endsRun: true })] },
        settled({ output: { rows: [1] } }),
        { calls: [call({ status: 'succeeded', endsRun: true, resultKey: 'ok' })], answer: '{"rows":[1]}' },
      ],
      [
        'which is the answer in the words of its observation, where it is not JSON',
        { calls: [call({ status: 'started', endsRun: true })] },
        settled({ output: null, observation: 'in words' }),
        { calls: [call({ status: 'succeeded', endsRun: true, resultKey: 'ok' })], answer: 'in words' },
      ],
      [
        'which is the answer in the words of its observation, where it holds nothing',
        { calls: [call({ status: 'started', endsRun: true })] },
        settled({ output: ' \n', observation: 'in words' }),
        { calls: [call({ status: 'succeeded', endsRun: true, resultKey: 'ok' })], answer: 'in words' },
      ],
      [
        'which is no answer where the call failed',
        { calls: [call({ status: 'started', endsRun: true })] },
        e.settled(1, 'failed'),
        { calls: [call({ status: 'failed', endsRun: true, resultKey: 'ok' })] },
      ],
      [
        'with what an agent spent that ran as the tool',
        { calls: calls('started'), nestedSteps: 1, toolCalls: 2, tokens: e.tokens(5) },
        settled({ spent }),
        {
          calls: [call({ status: 'succeeded', resultKey: 'ok' })],
          nestedSteps: 4,
          toolCalls: 4,
          tokens: { inputTokens: 11, outputTokens: 2, estimated: true },
        },
      ],
      [
        'which is no answer where the call does not end the run',
        { calls: calls('started') },
        e.settled(),
        { calls: [call({ status: 'succeeded', resultKey: 'ok' })] },
      ],
    ],
  },
  abandonCalls: {
    reducer: reducers.abandonCalls,
    knows: everyEvent.map(({ type }) => type),
    rows: [
      [
        'gives up what was started and is no read',
        {
          calls: [
            call({ status: 'started' }),
            call({ callId: '1.2', status: 'started', effect: 'readOnly' }),
            call({ callId: '1.3', status: 'ready' }),
            call({ callId: '1.4', status: 'started', effect: 'idempotent' }),
          ],
          effects: [effect('0.1', 'succeeded')],
        },
        e.aborted(),
        {
          calls: [
            call({ status: 'unknown' }),
            call({ callId: '1.2', status: 'started', effect: 'readOnly' }),
            call({ callId: '1.3', status: 'ready' }),
            call({ callId: '1.4', status: 'unknown', effect: 'idempotent' }),
          ],
          effects: [effect('0.1', 'succeeded'), effect('1.1', 'unknown'), effect('1.4', 'unknown')],
        },
      ],
      [
        'charges what agents spent that ran as tools, also where no call is left',
        { nestedSteps: 1, toolCalls: 2 },
        Object.assign({}, e.aborted(), { spent }),
        { nestedSteps: 4, toolCalls: 4, tokens: e.tokens(8) },
      ],
      [
        'knows that a call which waits for its place has not begun',
        {
          calls: [
            call({ status: 'started' }),
            call({ callId: '1.2', status: 'started', effect: 'sideEffect' }),
            call({ callId: '1.3', status: 'started', effect: 'readOnly' }),
          ],
        },
        e.aborted(1, ['1.2', '1.3', '9.9']),
        {
          calls: [
            call({ status: 'unknown' }),
            call({ callId: '1.2', status: 'refused', effect: 'sideEffect' }),
            call({ callId: '1.3', status: 'started', effect: 'readOnly' }),
          ],
          effects: [effect('1.1', 'unknown')],
        },
      ],
      ['finds nothing in flight', { calls: calls('succeeded', 'ready') }, e.aborted(), {}],
      ['leaves a read alone', { calls: [call({ status: 'started', effect: 'readOnly' })] }, e.aborted(), {}],
    ],
  },
};

walk(table);

describe('calls start', () => {
  /** A letter a call: s(ide effect), r(ead), u(nmarked), i(dempotent), all ready; d(one), and a(sking). In capitals: started. */
  const effects = {
    s: 'sideEffect',
    r: 'readOnly',
    u: 'unmarked',
    i: 'idempotent',
    d: 'readOnly',
    a: 'readOnly',
  } as const;
  const standing = (letters: string) =>
    [...letters].map((letter, index) => {
      const small = letter.toLowerCase();
      const of = small === 's' || small === 'r' || small === 'u' || small === 'i' || small === 'a' ? small : 'd';
      const waits = of === 'a' ? 'asking' : of === 'd' ? 'succeeded' : 'ready';
      return call({ callId: `1.${index + 1}`, effect: effects[of], status: letter === small ? waits : 'started' });
    });
  it.each([
    ['alone where it is no read', 'uu', 'Uu', 1],
    ['alone where it is a side effect', 'sr', 'Sr', 1],
    ['alone where it may be repeated', 'ii', 'Ii', 1],
    ['together where they are reads', 'rrr', 'RRR', 3],
    ['up to the first that is no read', 'rrur', 'RRur', 2],
    ['over those that are done', 'drdr', 'dRdR', 2],
    ['over those that ask', 'ara', 'aRa', 1],
    ['from where the last ones ended', 'dur', 'dUr', 1],
  ] as const)('%s: %s', (_what, before, after, count) => {
    const given = context({ calls: standing(before), toolCalls: 7 });
    expect(changes(given, reducers.startCalls(given))).toEqual({ calls: standing(after), toolCalls: 7 + count });
  });

  it.each([
    [1, 'rrr', 'Rrr', 1],
    [2, 'rrr', 'RRr', 2],
    [2, 'drrr', 'dRRr', 2],
    [3, 'rrr', 'RRR', 3],
  ] as const)('up to %i reads: %s', (maxParallel, before, after, count) => {
    const given = context({ calls: standing(before), toolCalls: 7 }, { maxParallel });
    expect(changes(given, reducers.startCalls(given))).toEqual({ calls: standing(after), toolCalls: 7 + count });
  });

  it.each([
    ['the first that is ready', 'dRrr', 'dRRr'],
    ['over one that asks', 'Rar', 'RaR'],
  ])('the next: %s', (_what, before, after) => {
    const given = context({ calls: standing(before), toolCalls: 7 });
    expect(changes(given, reducers.startNext(given))).toEqual({ calls: standing(after), toolCalls: 8 });
  });

  it('no next where none is ready', () => {
    const given = context({ calls: standing('dRa') });
    expect(reducers.startNext(given)).toBe(given);
  });

  it.each(['', 'd', 'a', 'R'])('not where none is ready: %s', (letters) => {
    const given = context({ calls: standing(letters) });
    expect(reducers.startCalls(given)).toBe(given);
  });
});

describe('a result that holds nothing', () => {
  it.each([
    ['succeeded', true, true],
    ['succeeded', undefined, false],
    ['failed', true, false],
    ['unknown', true, false],
  ] as const)('%s, empty %s: %s', (result, empty, kept) => {
    const before = context({ calls: calls('started') });
    const event = settled({ result, ...(empty === undefined ? {} : { empty }) });
    expect(reducers.keepResult(before, event).calls[0]?.empty).toBe(kept);
  });
});

describe('an effect is kept', () => {
  it.each([
    ['unmarked', 'unknown', 'unknown'],
    ['idempotent', 'unknown', 'unknown'],
    ['sideEffect', 'unknown', 'unknown'],
    ['readOnly', 'unknown', null],
    ['sideEffect', 'succeeded', 'succeeded'],
    ['unmarked', 'succeeded', null],
    ['idempotent', 'succeeded', null],
    ['readOnly', 'succeeded', null],
    ['sideEffect', 'failed', null],
    ['unmarked', 'failed', null],
  ] as const)('%s, %s: %s', (mark, result, kept) => {
    const before = context({
      calls: [call({ status: 'started', effect: mark })],
      effects: [effect('0.1', 'succeeded')],
    });
    const { effects } = reducers.keepResult(before, e.settled(1, result));
    expect(effects).toEqual([effect('0.1', 'succeeded'), ...(kept === null ? [] : [effect('1.1', kept)])]);
  });

  it('not of a call that there is not', () => {
    const before = context({ calls: calls('started') });
    expect(reducers.keepResult(before, e.settled(2))).toBe(before);
  });
});
