/** The loop guard as a plain function: a letter is a step's key, and the last letter is the step that is judged. */
import { describe, expect, it } from 'vitest';
import { watchLoop } from '../../machines/loop-guard.ts';

const guard = { warnAt: 2, endAt: 4, cycleMax: 3 };

/** The verdict on the last letter, after all those before it. */
function judged(steps: string, by = guard) {
  return watchLoop(by, [...steps.slice(0, -1)], steps.slice(-1)).loop;
}

describe('equal steps and equal rounds', () => {
  it.each([
    ['a', 'none'],
    ['ab', 'none'],
    ['abc', 'none'],
    ['aa', 'warn'],
    ['baa', 'warn'],
    ['aaa', 'warn'],
    ['aaaa', 'end'],
    ['baaaa', 'end'],
    ['aaab', 'none'],
    ['aabaa', 'warn'],
    ['aba', 'none'],
    ['abab', 'warn'],
    ['cabab', 'warn'],
    ['ababa', 'warn'],
    ['abababa', 'warn'],
    ['abababab', 'end'],
    ['babababa', 'end'],
    ['abcab', 'none'],
    ['abcabc', 'warn'],
    ['abcabcabcab', 'warn'],
    ['abcabcabcabc', 'end'],
    ['abcdabcd', 'none'], // a cycle longer than is looked for
    ['abba', 'none'],
    ['abcb', 'none'],
  ] as const)('%s: %s', (steps, verdict) => {
    expect(judged(steps)).toBe(verdict);
  });
});

it.each([
  ['aa', { warnAt: 3, endAt: 4, cycleMax: 1 }, 'none'],
  ['aaa', { warnAt: 3, endAt: 4, cycleMax: 1 }, 'warn'],
  ['aa', { warnAt: 5, endAt: 2, cycleMax: 1 }, 'end'],
  ['abab', { warnAt: 2, endAt: 2, cycleMax: 1 }, 'none'],
  ['abab', { warnAt: 2, endAt: 2, cycleMax: 2 }, 'end'],
] as const)('%s, with %j: %s', (steps, by, verdict) => {
  expect(judged(steps, by)).toBe(verdict);
});

it('keeps the keys of as many steps as it looks back, whatever the verdict, and no more', () => {
  const kept = (steps: string) => watchLoop(guard, [...steps.slice(0, -1)], steps.slice(-1)).window.join('');
  expect(kept('a')).toBe('a');
  expect(kept('abcdefghijkl')).toBe('abcdefghijkl');
  expect(kept('abcdefghijklm')).toBe('bcdefghijklm');
  expect(kept('xyzxyzxyzxyzaaaa')).toBe('yzxyzxyzaaaa');
});

it('is off without limits: nothing is kept and nothing judged', () => {
  const window = ['a', 'a', 'a'];
  expect(watchLoop(null, window, 'a')).toEqual({ window, loop: 'none' });
});
