/** Answers and verdicts that are not those of the present: dropped before the machine, and seen by the laws. */
import { describe, expect, it, test } from 'vitest';
import { admit } from '../../machines/admit.ts';
import { isOfThisCall } from '../../machines/edge.ts';
import { keepResult } from '../../machines/reducers.ts';
import type { ReactEvent } from '../../src/core/events.ts';
import { call, context } from './contexts.ts';
import * as e from './driver.ts';

const proposed = context({ proposed: 'yes' });
const otherwise = Object.assign({}, e.accepted(), { answer: 'no' });
const nothing = Object.assign({}, e.accepted(), { answer: null });

test.each<[string, Parameters<typeof admit>[0], ReactEvent, string]>([
  ['the answer that is checked', proposed, e.accepted(), 'obey'],
  ['another answer', proposed, otherwise, 'drop'],
  ['an answer where none is checked', context({ proposed: null }), e.accepted(), 'drop'],
  ['no answer where none is checked', context({ proposed: null }), nothing, 'drop'],
  ['at the beginning of time', proposed, e.accepted({ atMs: 0 }), 'obey'],
  ['before the beginning of time', proposed, e.accepted({ atMs: -1 }), 'drop'],
])('admission: %s', (_, before, event, admission) => expect(admit(before, event)).toBe(admission));

describe('verdicts are of this reply', () => {
  const before = { state: { ACTION: 'gating' }, context: context({ calls: [call(), { ...call(), callId: '1.2' }] }) };
  const after = before;
  const is = (event: ReactEvent) => isOfThisCall({ before, event, after, commands: [] });
  const verdicts = (...callIds: string[]): ReactEvent =>
    Object.assign({}, e.checked('rr'), {
      verdicts: callIds.map((callId) => ({ callId })),
    });

  it('one for each call, in their order', () => expect(is(verdicts('1.1', '1.2'))).toBe(true));
  it.each([[['1.1']], [['1.1', '1.2', '1.2']], [['1.2', '1.1']], [['1.1', '1.1']], [[]], [['1.2', '1.2']]])(
    'not %j',
    (callIds) => expect(is(verdicts(...callIds))).toBe(false),
  );
});

test.each([
  ['its text', 'forty-two', 'told', 'forty-two'],
  ['its JSON', { n: 42 }, 'told', '{"n":42}'],
  ['what the model is told, where there is no output', null, 'told', 'told'],
  ['what the model is told, where the output is blank', ' ', 'told', 'told'],
  ['that it succeeded, where both are blank', '', ' ', 'search succeeded.'],
])('the answer of a tool that ends the run: %s', (_, output, observation, answer) => {
  const before = context({ calls: [{ ...call(), tool: 'search', status: 'started', endsRun: true }] });
  const event: ReactEvent = Object.assign({}, e.settled(), { output, observation });
  expect(keepResult(before, event).answer).toBe(answer);
});
