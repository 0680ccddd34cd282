/** Schemas, hooks and observers of the user that do their worst. */
import { never } from '../streams.ts';
import { answered, answers, lookAlways, lookOnce, looks, type Row, seen, stopped } from './row.ts';

export const hooks: readonly Row[] = [
  {
    id: 'schema-hangs',
    what: 'a schema that never settles',
    limit: 'hook 300 ms (set), 3 tool errors',
    limitMs: 900,
    input: { model: lookAlways, tools: looks(() => 'seen', { validate: never }), limits: { hookMs: 300 } },
    expected: stopped('tool_errors_exhausted', 3, 0),
  },
  {
    id: 'approval-hangs',
    what: 'a question for approval that never settles',
    limit: 'hook 300 ms (set), 3 tool errors',
    limitMs: 900,
    input: { model: lookAlways, tools: looks(() => 'seen', { needsApproval: never }), limits: { hookMs: 300 } },
    expected: stopped('tool_errors_exhausted', 3, 0),
  },
  {
    id: 'check-hangs',
    what: 'a check of the answer that never settles',
    limit: 'hook 300 ms (set), 3 violations',
    limitMs: 900,
    input: { model: answers, tools: seen, checkAnswer: never, limits: { hookMs: 300 } },
    expected: stopped('violations_exhausted', 3, 0),
  },
  {
    id: 'observer-throws',
    what: 'an observer that throws',
    limit: '12 steps (default)',
    input: {
      model: lookOnce,
      tools: seen,
      observe: () => {
        throw new Error('I saw nothing');
      },
    },
    expected: answered(2, 1),
  },
  {
    id: 'observer-hangs',
    what: 'an observer that never settles',
    limit: '12 steps (default)',
    input: { model: lookOnce, tools: seen, observe: never },
    expected: answered(2, 1),
  },
];
