/**
 * What both sides of the comparison are given: a model that answers at once, a tool that answers at once, one task and
 * limits that are out of the way. Nothing here is part of what is measured, so it does as little as it can.
 *
 * @typedef {import('../../dist/types/src/index.d.ts').ModelEvent} ModelEvent
 * @typedef {import('../../dist/types/src/index.d.ts').Model} Model
 */

export const task = 'Echo the numbers one after the other, and then say that you are done.';
export const answer = 'All numbers were echoed.';

/** Never reached; nothing here is a benchmark of how a run is cut short. */
export const budget = {
  maxSteps: 2_000,
  maxTokens: 2 ** 40,
  wallClockMs: 3_600_000,
  maxToolCalls: 2_000,
};

/** A run of so many steps: calls of `echo`, and the answer as the last step. */
export function repliesOf(steps) {
  const calls = Array.from({ length: steps - 1 }, (_, index) => callReply(index + 1));
  return [...calls, `Thought: All numbers have been echoed, so the task is done.\nFinal Answer: ${answer}`];
}

export function callReply(number) {
  return `Thought: The next number is ${number}; it has not been echoed yet.\nAction: echo\nAction Input: {"n": ${number}}`;
}

/**
 * A model that gives the reply of the step it is asked for, in one piece. It has no state, so one model serves any
 * number of runs, one after the other or side by side.
 *
 * @param {(step: number) => string} replyOf
 * @returns {Model}
 */
export function instantModel(replyOf) {
  return { provider: 'bench', name: 'instant', generate: ({ step }) => stream(replyOf(step)) };
}

/** @type {ModelEvent} */
const wellEnded = Object.freeze({ type: 'end', finish: 'stop', usage: null });
const over = Object.freeze({ done: true, value: undefined });

/** By hand, because an async generator costs more than the whole hand-written loop. */
function stream(text) {
  let next = 0;
  return {
    next() {
      next++;
      if (next === 1) return Promise.resolve({ done: false, value: { type: 'text', text } });
      return Promise.resolve(next === 2 ? { done: false, value: wellEnded } : over);
    },
    return() {
      next = 2;
      return Promise.resolve(over);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The one check of the input, in the form that each side takes: a list of problems, empty where the input is good. */
function problemsOf(input) {
  return typeof input === 'object' && input !== null && Number.isInteger(input.n) ? [] : ['n: must be an integer'];
}

export const echo = {
  description: 'Gives the number back.',
  execute: ({ n }) => `echoed ${n}`,
};

/** For the hand-written loop. */
export const plainTools = { echo: { ...echo, check: problemsOf, timeoutMs: 15_000 } };

/** For the library: a Standard Schema, so that no validator of JSON Schema is part of the figures. */
export const echoSchema = {
  '~standard': {
    version: 1,
    vendor: 'bench',
    validate: (value) => {
      const problems = problemsOf(value);
      return problems.length === 0 ? { value } : { issues: problems.map((message) => ({ message })) };
    },
    jsonSchema: {
      input: () => ({ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }),
    },
  },
};
