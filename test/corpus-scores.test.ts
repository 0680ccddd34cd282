/**
 * The recorded replies against their labels: how many are read right, in each dialect, and that the ones that are not are
 * those whose labels we hold wrong (`corpus-labels.ts`). Skipped where the recordings are absent.
 */
import { describe, expect, test } from 'vitest';
import type { Reading } from '../src/core/reading.ts';
import { readReply } from '../src/protocol/read.ts';
import { wrongLabels } from './corpus-labels.ts';
import { areRecordingsHere, type LabelledReply, recordings, sameInput, trimmed } from './support/recordings.ts';

/** `env`: the forms of one environment. `contested`: sound readers differ, so that nothing is asked. */
function groupOf({ notes = '' }: LabelledReply): 'core' | 'env' | 'contested' {
  if (notes.includes('contested')) return 'contested';
  return /ALFWorld|<r> reason|think-step|WebShop/.test(notes) ? 'env' : 'core';
}

function isRight({ expect: label }: LabelledReply, reading: Reading): boolean {
  if (label.kind === 'violation') return reading.kind === 'violation';
  if (label.kind === 'final') return reading.kind === 'answer' && trimmed(label.answer) === trimmed(reading.answer);
  const call = reading.kind === 'calls' ? reading.calls[0] : undefined;
  return call !== undefined && trimmed(label.tool) === trimmed(call.tool) && sameInput(label.input, call.input);
}

const replies = recordings<LabelledReply>('outputs.jsonl').map((reply) => {
  const dialect = reply.dialect === 'zh' ? 'labelled' : reply.dialect;
  const reading = readReply(reply.raw, { dialect, tools: reply.tools ?? [] });
  return { ...reply, reading, group: groupOf(reply), right: isRight(reply, reading) };
});
const core = replies.filter(({ group }) => group === 'core');
const share = (of: readonly { readonly right: boolean }[]) => of.filter(({ right }) => right).length / of.length;

describe.skipIf(!areRecordingsHere)('the recorded replies', () => {
  test.each(['paper', 'labelled', 'json', 'tags', 'zh'])('in %s are read as labelled, 98 of 100', (name) => {
    const score = share(core.filter(({ dialect }) => dialect === name));
    console.log(`Recorded replies, ${name}: ${(100 * score).toFixed(2)} % as labelled.`);
    expect(score).toBeGreaterThanOrEqual(0.98);
  });

  test('are read as labelled all together, 99 of 100', () => expect(share(core)).toBeGreaterThanOrEqual(0.99));

  test('in the form of one environment are read as labelled, 90 of 100', () =>
    expect(share(replies.filter(({ group }) => group === 'env'))).toBeGreaterThanOrEqual(0.9));

  test('have the thought that is labelled, 98 of 100', () => {
    const thoughts = core
      .filter(({ right, expect: { thought } }) => right && thought)
      .map((reply) => ({ right: trimmed(reply.expect.thought) === trimmed(reply.reading.thought) }));
    expect(share(thoughts)).toBeGreaterThanOrEqual(0.98);
  });

  test('that are not read as labelled are those whose labels we hold wrong', () => {
    const misses = core.filter(({ right }) => !right).map(({ id }) => id);
    expect(misses.sort()).toEqual(Object.keys(wrongLabels).sort());
  });
});
