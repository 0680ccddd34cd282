/** What a person says of a call, and what comes of it. */
import { expect } from 'vitest';
import { asking } from './contract-behaviours.ts';
import type { Fate, RowTool, Word } from './contract-play.ts';

export const call = (n: number, tool = 't') => ({ tool, input: { n } });
export const yes: Word = (run, callId) => run.approve(callId);
export const no: Word = (run, callId) => run.deny(callId, 'not today');
export const edit =
  (input: { readonly [key: string]: number | string }): Word =>
  (run, callId) =>
    run.approve(callId, { input });
/** The second word must be refused, whatever the first was. */
export const twice =
  (first: Word, second: Word): Word =>
  (run, callId) => {
    first(run, callId);
    expect(() => second(run, callId)).toThrow(expect.objectContaining({ code: 'not_awaiting' }));
  };

const integer = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
export const shows: RowTool = asking(
  ({ input, commit }) => {
    commit();
    return input;
  },
  { inputSchema: integer },
);
export const sent: Fate = ['succeeded', 'sent'];
export const denied: Fate = [
  'refused',
  '[ToolError] t was not allowed to run and was not executed: not today. Go on without it, or ask for something else.',
];
export const nobody: Fate = [
  'refused',
  '[ToolError] Nobody decided about t in time. It was not run. Go on without it.',
];
