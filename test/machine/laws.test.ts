/**
 * The laws judge machines, so they are judged here: every real edge keeps them all, and for each law there are edges, forged
 * from real ones, that break it and as a rule nothing else.
 */
import { describe, expect, it } from 'vitest';
import { checkLaws, lawNames, laws } from '../../machines/laws.ts';
import type { ReactEvent } from '../../src/core/events.ts';
import type { CallStatus, RunLimits } from '../../src/core/snapshot.ts';
import { calls } from './contexts.ts';
import * as e from './driver.ts';
import { edgesOf, forged, restored } from './forge.ts';
import { answering, checks, gating, nextStarts, oneOfTwo, proposed, running, spent } from './law-edges.ts';
import type { Broken } from './law-rows.ts';
import * as budgets from './laws-of-budgets.ts';
import * as ofCalls from './laws-of-calls.ts';

it('the names are those of the laws', () => expect(lawNames).toEqual(Object.keys(laws)));

const broken: Broken = { ...budgets.broken, ...ofCalls.broken };

describe.each(lawNames)('%s', (law) => {
  const rows = broken[law] ?? [];
  it('has an edge that breaks it', () => expect(rows).not.toEqual([]));

  it.each(rows.map(([what, edge, ...also]) => ({ what, edge, also })))('is broken: $what', ({ edge, also }) => {
    expect([...checkLaws(edge)].sort()).toEqual([law, ...also].sort());
  });
});

it.each([...budgets.close, ...ofCalls.close])('no law is broken: %s', (_what, edge) => {
  expect(checkLaws(edge)).toEqual([]);
});

describe('a call only goes forward', () => {
  const statuses = ['read', 'asking', 'ready', 'started', 'succeeded', 'failed', 'unknown', 'refused'] as const;
  const later: { readonly [status in CallStatus]: readonly CallStatus[] } = {
    read: statuses.slice(1),
    asking: statuses.slice(2),
    ready: statuses.slice(3),
    started: statuses.slice(4),
    succeeded: [],
    failed: [],
    unknown: [],
    refused: [],
  };
  it.each(statuses)('from %s', (status) => {
    const allowed = statuses.filter((next) => {
      const change = { before: { calls: calls(status) }, after: { calls: calls(next) } };
      return laws['a call only goes forward'](forged(oneOfTwo, change));
    });
    expect(allowed).toEqual(statuses.filter((next) => next === status || later[status].includes(next)));
  });

  it.each([
    ['read', true],
    ['asking', true],
    ['ready', true],
    ['started', false],
    ['succeeded', false],
    ['failed', false],
    ['unknown', false],
    ['refused', false],
  ] as const)('%s: whether it may start is %s', (status, may) => {
    const before = { calls: calls('started', status) };
    expect(laws['a call starts at most once'](forged(nextStarts, { before }))).toBe(may);
  });
});

const retried = [e.stopped('action'), e.brokeOff()];
const again = { attempt: 2 };
const tries = { modelRetries: 1 };
const spending = (index = 1): ReactEvent => Object.assign({}, e.settled(index), { spent });

/** Walks through every part of the machine: what happens, and the limits. */
const walks: readonly (readonly [string, readonly ReactEvent[], Partial<RunLimits>?])[] = [
  ['an answer', [...answering, e.ended({ answer: 'yes' })]],
  ['an answer, and then another', [...answering, e.ended({ answer: 'yes' }), e.ended({ answer: 'other' })]],
  ['an answer that is checked', [...proposed, e.rejected(), e.stopped('answer', 0, { step: 2 })], checks],
  ['an answer that is accepted', [...proposed, e.accepted()], checks],
  ['an answer of a tool', [...running('e'), e.settled()]],
  ['reads side by side', [...running('rr', 'readOnly'), e.settled(2), e.settled(1, 'failed')]],
  ['a read of unknown result', [...running('rr', 'readOnly'), e.settled(1, 'unknown')]],
  ['side effects one by one', [...running('rr', 'sideEffect'), e.settled(1), e.settled(2, 'unknown')]],
  ['a person', [...running('raa'), e.settled(), e.asked(), e.granted(2), e.denied(3), e.settled(2)]],
  ['a person who refuses', [...running('aa'), e.denied(1), e.denied(2)]],
  ['all is refused', [...gating(2), e.checked('xx')]],
  ['a call behind a stop', [e.stopped('action'), e.stopped('observation', 1), e.checked('r'), e.settled()]],
  ['violations to the end', [e.truncated(), e.ended({}, { step: 2 }), e.ended({ violation: 'empty' }, { step: 3 })]],
  ['a violation, and a success', [e.truncated(), ...running().map((event) => ({ ...event, step: 2 }))]],
  ['tool errors to the end', [...running(), e.settled(1, 'failed')], { maxToolErrors: 1 }],
  ['circles to the end', [...running(), e.settled()], { loopGuard: { warnAt: 1, endAt: 1, cycleMax: 1 } }],
  ['a filter', [e.filtered()]],
  ['a failure', [e.failed()]],
  ['a prompt that does not fit', [e.promptRefused()]],
  ['an abort of a reply', [e.aborted(), e.settled()]],
  ['an abort of calls', [...running('rr', 'readOnly'), e.aborted()]],
  ['an abort of effects', [...running('rr', 'idempotent'), e.aborted()]],
  ['the deadline', [...running(), e.expired()]],
  ['a store that fails', [...running(), e.storeFailed()]],
  ['a late event', [...running(), e.settled(1, 'succeeded', { atMs: 1e9 })]],
  ['a defect', [...running(), e.machineFailed()]],
  ['foreign events', [e.stopped('action', 0, { step: 3 }), e.settled(), e.granted(), e.expired(0)]],
  ['no steps', [], { maxSteps: 0 }],
  ['one step', [...running()], { maxSteps: 1 }],
  ['no tokens', [], { maxTokens: 0 }],
  ['few tokens', [e.ended({ total: 9 })], { maxTokens: 9 }],
  ['more tokens than there were', [...gating(), e.checked('e')], { maxTokens: 1 }],
  ['no tool calls', [...gating(), e.checked('r')], { maxToolCalls: 0 }],
  ['no tool calls, and a question', [...gating(), e.checked('a')], { maxToolCalls: 0 }],
  ['few tool calls', [...running('ra'), e.settled()], { maxToolCalls: 1 }],
  ['another try, and an answer', [...retried, e.stopped('answer', 0, again), e.ended({ answer: 'yes' }, again)], tries],
  ['a failure of the last try', [...retried, e.brokeOff(again)], tries],
  ['another try that is late', [...retried, e.brokeOff(), e.ended()], tries],
  ['an agent as a tool', [...running(), spending()]],
  ['agents as tools', [...running('rr', 'readOnly'), spending(1), spending(2)]],
  ['an agent that spent the calls, and others are ready', [...running('rrr'), spending()], { maxToolCalls: 4 }],
  ['an agent that spent the steps', [...running('rr'), spending()], { maxSteps: 2 }],
  ['an abort of an agent', [...running(), Object.assign({}, e.aborted(), { spent })]],
  ['no time', [], { wallClockMs: 0 }],
  ['no violations', [], { maxViolations: 0 }],
  ['no tool errors', [], { maxToolErrors: 0 }],
];

it.each(walks.map(([what, events, limits = {}]) => ({ what, events, limits })))(
  'real edges keep every law: $what',
  ({ events, limits }) => {
    for (const edge of edgesOf(events, limits)) {
      expect(checkLaws(edge)).toEqual([]);
      if (edge.after.context.stopReason === null) expect(checkLaws(restored(edge))).toEqual([]);
    }
  },
);
