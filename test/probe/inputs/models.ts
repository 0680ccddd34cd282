/** Models that do their worst. */
import { alwaysReady, breaks, clings, says, silence, trickle } from '../streams.ts';
import { answered, look, lookAlways, type Row, seen, stopped } from './row.ts';

export const models: readonly Row[] = [
  {
    id: 'model-silent',
    what: 'a model that never answers',
    limit: 'first piece 400 ms (set)',
    limitMs: 400,
    input: { model: silence, tools: seen, limits: { firstPieceMs: 400 } },
    expected: stopped('model_error', 1, 0),
  },
  {
    id: 'model-silent-run',
    what: 'a model that never answers, in a limited run',
    limit: 'run 400 ms (set)',
    limitMs: 400,
    input: { model: silence, tools: seen, limits: { runMs: 400 } },
    expected: stopped('timeout', 1, 0),
  },
  {
    id: 'model-trickles',
    what: 'a model that sends a word every 50 ms for ever',
    limit: 'reply 600 ms (set)',
    limitMs: 600,
    input: { model: () => trickle('and ', 50), tools: seen, limits: { replyMs: 600 } },
    expected: stopped('model_error', 1, 0),
  },
  {
    id: 'model-streams',
    what: 'a model that streams for ever at full speed',
    limit: '8,192 tokens a reply, 3 violations (default)',
    input: { model: () => alwaysReady('and so on, '), tools: seen },
    expected: stopped('violations_exhausted', 3, 0),
  },
  {
    id: 'empty-pieces',
    what: 'empty pieces for ever, always ready',
    limit: 'reply 400 ms (set)',
    limitMs: 400,
    input: { model: () => alwaysReady(''), tools: seen, limits: { replyMs: 400 } },
    expected: stopped('model_error', 1, 0),
  },
  {
    id: 'empty-pieces-abort',
    what: 'empty pieces for ever, and an abort after 300 ms',
    limit: 'abort at 300 ms',
    limitMs: 300,
    input: { model: () => alwaysReady(''), tools: seen, abortAfterMs: 300 },
    expected: stopped('aborted', 1, 0),
  },
  {
    id: 'return-hangs',
    what: 'a stream whose return() never settles',
    limit: '12 steps (default)',
    input: {
      model: (call) => (call === 1 ? clings(look(), { invented: 'made up' }, 'more') : says({ answer: 'done' })),
      tools: seen,
    },
    expected: answered(2, 1),
  },
  {
    id: 'model-breaks',
    what: 'a stream that throws',
    limit: '12 steps (default)',
    input: { model: breaks, tools: seen },
    expected: stopped('model_error', 1, 0),
  },
  {
    id: 'invented',
    what: 'an invented observation with an answer behind it',
    limit: '12 steps (default)',
    input: {
      model: (call) =>
        call === 1 ? says(look(), { invented: 'made up' }, { answer: 'a lie' }) : says({ answer: 'done' }),
      tools: seen,
    },
    expected: answered(2, 1),
  },
  {
    id: 'same-call',
    what: 'the same call for ever',
    limit: '4 equal steps (default)',
    input: { model: lookAlways, tools: seen },
    expected: stopped('loop_detected', 4, 4),
  },
  {
    id: 'a-b-a-b',
    what: 'A-B-A-B for ever',
    limit: '4 equal rounds (default)',
    input: { model: (call) => says(look({ side: call % 2 })), tools: seen },
    expected: stopped('loop_detected', 8, 8),
  },
];
