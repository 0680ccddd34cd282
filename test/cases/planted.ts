/** Small cases for the tests of the runner: one that is well, and what is changed in it. */
import { type Case, readCases } from './format.ts';

export const act = (tool: string, input: unknown = {}) =>
  `Thought: I need data.\nAction: ${tool}\nAction Input: ${JSON.stringify(input)}`;
export const answer = (text: string) => `Thought: I know.\nFinal Answer: ${text}`;

export const aTool = (given: object = {}) => ({
  name: 't',
  behaviour: 'returns',
  value: 'v',
  sideEffect: false,
  timeoutMs: 1000,
  ...given,
});

export interface Plant {
  readonly given?: object;
  readonly expect?: object;
  readonly mustNot?: readonly object[];
}

/** As a line of a file. */
export function lineOf({ given = {}, expect = {}, mustNot = [] }: Plant, more: object = {}): string {
  return JSON.stringify({
    id: 'x01',
    theme: 'x',
    given: { replies: [act('t'), answer('done')], tools: [aTool()], budget: {}, ...given },
    expect: { 'must not': mustNot, ...expect },
    ...more,
  });
}

/** As it is read; throws where it is no case. */
export function plant(what: Plant): Case {
  const [entry] = readCases(lineOf(what));
  if (entry === undefined || entry.case === null) throw new Error(entry?.problem ?? 'no case');
  return entry.case;
}

/** A code with what makes it red: given things that bring about what it forbids, or facts that no run of ours shows. */
export interface RedRow {
  readonly params: { readonly code: string; readonly [name: string]: unknown };
  readonly given?: object;
  readonly facts?: object;
}
