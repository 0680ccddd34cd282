/** The rank that falls, number by number; and the questions that laws ask of states and edges. */
import { describe, expect, it } from 'vitest';
import * as edges from '../../machines/edge.ts';
import { isLess, rank } from '../../machines/rank.ts';
import type { ReactContext, StatePath } from '../../src/core/snapshot.ts';
import { calls, context } from './contexts.ts';
import { dropped, starts } from './law-edges.ts';

describe('the rank', () => {
  const limits = { maxSteps: 12 };
  it.each<readonly [StatePath, Partial<ReactContext>, readonly number[]]>([
    ['OBSERVATION', { step: 0 }, [1, 12, 0, 5, 0]],
    ['FINAL', {}, [0, 11, 0, 5, 0]],
    ['ERROR', { step: 12 }, [0, 0, 0, 5, 0]],
    [{ THOUGHT: 'reasoning' }, {}, [1, 11, 0, 4, 0]],
    [{ THOUGHT: 'calling' }, {}, [1, 11, 0, 3, 0]],
    [{ THOUGHT: 'answering' }, {}, [1, 11, 0, 2, 0]],
    [{ THOUGHT: 'reasoning' }, { nestedSteps: 4 }, [1, 7, 0, 4, 0]],
    [{ THOUGHT: 'reasoning' }, { nestedSteps: 20 }, [1, 0, 0, 4, 0]],
    [{ ACTION: 'gating' }, { calls: calls('read', 'read') }, [1, 11, 0, 1, 16]],
    [{ ACTION: 'checkingAnswer' }, {}, [1, 11, 0, 1, 0]],
    [{ ACTION: 'running' }, { calls: calls('started', 'ready', 'asking') }, [1, 11, 0, 0, 12]],
    [{ ACTION: 'running' }, { calls: calls('succeeded', 'failed', 'unknown', 'refused') }, [1, 11, 0, 0, 0]],
    [{ ACTION: 'awaitingApproval' }, { calls: calls('asking') }, [1, 11, 0, 0, 7]],
    [{ ACTION: 'awaitingApproval' }, { calls: calls('asking'), approvalUntilMs: 5 }, [1, 11, 0, 0, 6]],
    [{ ACTION: 'running' }, { calls: calls('started'), approvalUntilMs: null }, [1, 11, 0, 0, 2]],
    [{ ELSEWHERE: 'running' }, {}, [1, 11, 0, 5, 0]],
    [{ ACTION: 'constructor' }, {}, [1, 11, 0, 5, 0]],
  ])('in %j', (state, changed, numbers) => {
    expect(rank({ state, context: context(changed, limits) })).toEqual(numbers);
  });

  it('counts the tries that are left of this step, and of none before', () => {
    const tries = (attempt: number) =>
      rank({ state: { THOUGHT: 'reasoning' }, context: context({ attempt }, { modelRetries: 2 }) })[2];
    expect([1, 2, 3].map(tries)).toEqual([2, 1, 0]);
  });

  it.each([
    [[1, 2], [1, 3], true],
    [[1, 3], [1, 2], false],
    [[1, 2], [1, 2], false],
    [[0, 9], [1, 0], true],
    [[1, 0], [0, 9], false],
    [[], [], false],
    [[0], [], false],
  ])('%j is less than %j: %s', (left, right, less) => {
    expect(isLess(left, right)).toBe(less);
  });
});

describe('questions of states', () => {
  const rest = (state: StatePath) => ({ state, context: context() });
  it.each<readonly [StatePath, edges.Phase, string, 'end' | 'reading' | 'acting' | null]>([
    ['OBSERVATION', 'passing', 'OBSERVATION', null],
    ['FINAL', 'passing', 'FINAL', 'end'],
    ['ERROR', 'passing', 'ERROR', 'end'],
    [{ THOUGHT: 'reasoning' }, 'reasoning', 'THOUGHT.reasoning', 'reading'],
    [{ THOUGHT: 'calling' }, 'calling', 'THOUGHT.calling', 'reading'],
    [{ THOUGHT: 'answering' }, 'answering', 'THOUGHT.answering', 'reading'],
    [{ ACTION: 'gating' }, 'gating', 'ACTION.gating', 'acting'],
    [{ ACTION: 'running' }, 'running', 'ACTION.running', 'acting'],
    [{ ACTION: 'awaitingApproval' }, 'awaitingApproval', 'ACTION.awaitingApproval', 'acting'],
    [{ ACTION: 'checkingAnswer' }, 'checkingAnswer', 'ACTION.checkingAnswer', 'acting'],
    [{ A: 'b', C: 'd' }, 'passing', 'A.b|C.d', null],
  ])('%j', (state, phase, name, kind) => {
    expect(edges.phaseOf(state)).toBe(phase);
    expect(edges.nameOf(state)).toBe(name);
    expect(edges.isEnd(state)).toBe(kind === 'end');
    expect(edges.isReading(rest(state))).toBe(kind === 'reading');
    expect(edges.isActing(rest(state))).toBe(kind === 'acting');
  });

  it('the word THOUGHT is a name like any other', () => {
    expect(edges.isReading(rest('THOUGHT'))).toBe(false);
    expect(edges.isActing(rest('ACTION'))).toBe(false);
  });
});

describe('questions of edges', () => {
  it('unchanged is what has neither a new state nor a new context', () => {
    const { before, after } = dropped;
    expect(edges.isUnchanged(dropped)).toBe(true);
    expect(edges.isUnchanged({ ...dropped, after: { ...after, context: { ...after.context } } })).toBe(false);
    expect(edges.isUnchanged({ ...dropped, after: { ...after, state: 'ERROR' } })).toBe(false);
    expect(edges.isUnchanged({ ...dropped, after: { context: before.context, state: { ACTION: 'running' } } })).toBe(
      true,
    );
  });

  it('commands by their type', () => {
    const [first] = starts.commands;
    expect(edges.commandsOf(starts, 'runCalls')).toEqual([first]);
    expect(edges.commandsOf(starts, 'askModel')).toEqual([]);
  });

  it('a call by its name', () => {
    const rest = { state: 'OBSERVATION', context: context({ calls: calls('ready', 'started') }) };
    expect(edges.callNamed(rest, '1.2')?.status).toBe('started');
    expect(edges.callNamed(rest, '1.3')).toBeUndefined();
  });
});
