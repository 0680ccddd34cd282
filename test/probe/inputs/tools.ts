/** Tools that do their worst. */
import { never } from '../streams.ts';
import { answered, lookOnce, looks, neverDone, type Row, stopped } from './row.ts';

export const tools: readonly Row[] = [
  {
    id: 'tool-hangs-abort',
    what: 'a tool that never settles, and an abort after 300 ms',
    limit: 'abort at 300 ms',
    limitMs: 300,
    input: { model: lookOnce, tools: looks(never), abortAfterMs: 300 },
    expected: stopped('aborted', 1, 1),
  },
  {
    id: 'tool-hangs',
    what: 'a tool that never settles, and no abort',
    limit: 'tool 300 ms (set)',
    limitMs: 300,
    input: { model: lookOnce, tools: looks(never, { timeoutMs: 300 }) },
    expected: answered(2, 1),
  },
  {
    id: 'tool-hangs-default',
    what: 'a tool that never settles, no limit given',
    limit: 'tool 15,000 ms (default)',
    limitMs: 15_000,
    input: { model: lookOnce, tools: looks(never) },
    expected: answered(2, 1),
  },
  {
    id: 'tool-throws',
    what: 'a tool that always throws',
    limit: '3 tool errors (default)',
    input: {
      model: neverDone,
      tools: looks(() => {
        throw new Error('broken');
      }),
    },
    expected: stopped('tool_errors_exhausted', 3, 3),
  },
  {
    id: 'tool-5-mb',
    what: 'a tool result of 5 MB',
    limit: '1,200 tokens of a result (default)',
    input: { model: lookOnce, tools: looks(() => 'all work and no play '.repeat(250_000)) },
    expected: { ...answered(2, 1), mostMiB: 250 },
  },
  {
    id: 'getter-throws',
    what: 'a tool result whose getter throws',
    limit: '12 steps (default)',
    input: {
      model: lookOnce,
      tools: looks(() => ({
        get value() {
          throw new Error('not for you');
        },
      })),
    },
    expected: answered(2, 1),
  },
];
