/** What a provider read from its cache: told of one model call, wherever that is told; no sum has it. */
import { expect, test } from 'vitest';
import type { Snapshot } from '../../src/core/snapshot.ts';
import { act, answer, setup } from './setup.ts';

const counted = { inputTokens: 90, outputTokens: 10 };

const figures: readonly (readonly [string, object, number | undefined])[] = [
  ['some of the input', { cachedInputTokens: 60 }, 60],
  ['all of the input', { cachedInputTokens: 90 }, 90],
  ['nothing of it', { cachedInputTokens: 0 }, 0],
  ['nothing said', {}, undefined],
  ['more than the input', { cachedInputTokens: 91 }, undefined],
  ['less than nothing', { cachedInputTokens: -1 }, undefined],
  ['a part of a token', { cachedInputTokens: 0.5 }, undefined],
  ['no number', { cachedInputTokens: '60' }, undefined],
];

test.each(figures)('%s', async (_, given, cached) => {
  const usage = { ...counted, ...given };
  const { run, events } = setup({ replies: [{ text: answer('42'), usage }] });
  const { usage: sum, steps } = await run();
  const tokens = { ...counted, estimated: false, ...(cached === undefined ? {} : { cachedInputTokens: cached }) };
  expect(events.find(({ type }) => type === 'reply.ended')).toMatchObject({ tokens });
  expect(steps.map((step) => step.tokens)).toEqual([tokens]);
  expect(sum).toMatchObject(counted);
  expect(Object.keys(sum)).not.toContain('cachedInputTokens');
});

test('a run goes on from a document that tells of it', async () => {
  const usage = { ...counted, cachedInputTokens: 60 };
  const { run, agent, clock } = setup({
    replies: [
      { text: `${act('look')}\nObservation: `, usage },
      { text: answer('42'), usage },
    ],
    agent: { budget: { maxSteps: 1 } },
  });
  const first = await run();
  const snapshot: Snapshot = JSON.parse(JSON.stringify('snapshot' in first ? first.snapshot : null));
  const outcome = await clock.until(agent.resume(snapshot, { budget: { maxSteps: 2 } }).outcome);
  expect(outcome).toMatchObject({ ok: true, answer: '42' });
  expect(outcome.steps.at(-1)?.tokens).toMatchObject(usage);
});
