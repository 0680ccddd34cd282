/** Limits that are left out, or are none. */
import { says } from '../streams.ts';
import { type Expected, neverDone, type Row, refused, seen, stopped } from './row.ts';

const limitRow = (id: string, steps: number, expected: Expected): Row => ({
  id,
  what: `${steps} as the limit of steps`,
  limit: `${steps} steps`,
  input: { model: neverDone, tools: seen, limits: { steps } },
  expected,
});

export const limits: readonly Row[] = [
  {
    id: 'no-limit-calls',
    what: 'no limit given, a model that calls for ever',
    limit: '12 steps (default)',
    input: { model: neverDone, tools: seen },
    expected: stopped('max_steps', 12, 11),
  },
  {
    id: 'no-limit-talks',
    what: 'no limit given, a model that only talks',
    limit: '3 violations (default)',
    input: { model: () => says('Thought: I wonder.'), tools: seen },
    expected: stopped('violations_exhausted', 3, 0),
  },
  limitRow('limit-nan', Number.NaN, refused),
  limitRow('limit-infinite', Number.POSITIVE_INFINITY, refused),
  limitRow('limit-negative', -1, refused),
  limitRow('limit-fraction', 2.5, refused),
  limitRow('limit-zero', 0, stopped('max_steps', 0, 0)),
];
