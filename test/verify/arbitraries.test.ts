/** What can be drawn is what it says: well-formed replies are read as meant, cut texts join, tools and scripts play. */
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { createAgent } from '../../src/agent.ts';
import { defaults } from '../../src/core/limits.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { dialectNames, readReply } from '../../src/protocol/read.ts';
import { arbitraries } from '../../src/verify/arbitraries.ts';
import { knownTools } from '../../src/verify/arbitrary-input.ts';
import { replyDialects } from '../../src/verify/arbitrary-reply.ts';
import { type ToolBehaviour, toolOf } from '../../src/verify/arbitrary-tool.ts';
import type { MeantReply } from '../../src/verify/meant-reply.ts';
import { cutCalls, cutInto } from '../../src/verify/pieces.ts';
import { scanned } from '../../src/verify/reading-laws.ts';
import { virtualClock } from '../../src/verify/virtual-clock.ts';

const { reply, malformedReply, chunking, chunks, toolBehaviour, script, budget } = arbitraries(fc);

it('there are replies of every dialect that ships', () => {
  expect([...replyDialects].sort()).toEqual([...dialectNames].sort());
});

describe.each(replyDialects)('%s', (dialect) => {
  const readCut = ({ text, calls = [] }: Pick<MeantReply, 'text' | 'calls'>, lengths: readonly number[]) =>
    scanned({ text: cutInto(text, lengths), calls: cutCalls(calls, lengths) }, { dialect, tools: knownTools });

  test.prop([reply(dialect), chunking], { numRuns: 600 })(
    'a well-formed reply is read as it is meant, however it is cut',
    (meant, lengths) => {
      const { reading } = readCut(meant, lengths);
      expect(JSON.parse(JSON.stringify(reading))).toMatchObject(JSON.parse(JSON.stringify(meant.meaning)));
    },
  );

  test.prop([malformedReply(dialect), chunking], { numRuns: 400 })(
    'a malformed reply has one reading, however it is cut',
    (text, lengths) => {
      const whole = readCut({ text }, []);
      expect(['calls', 'answer', 'violation']).toContain(whole.reading.kind);
      expect(readCut({ text }, lengths)).toEqual(whole);
    },
  );

  it('malformed replies have readings of every kind, and most faults that are told', () => {
    const readings = fc.sample(malformedReply(dialect), { numRuns: 1_000, seed: 1 }).map((text) => {
      const read = readReply(text, { dialect, tools: knownTools });
      return read.kind === 'violation' ? read.code : read.kind;
    });
    // Text in `native` is a call in another form, or the answer.
    const told = ['no_step', 'unreadable_input', 'no_tool'];
    const kinds = ['calls', 'answer', 'empty', 'thought_only', ...(dialect === 'native' ? [] : told)];
    expect([...new Set(readings)]).toEqual(expect.arrayContaining(kinds));
  });
});

it('has no replies of a dialect that it does not know', () => {
  // @ts-expect-error: a name that is none of the known.
  expect(() => reply('morse')).toThrow('"morse"');
});

test.prop([fc.string({ unit: 'binary' }).chain((text) => fc.tuple(fc.constant(text), chunks(text)))])(
  'a text that was cut joins again',
  ([text, pieces]) => {
    expect(pieces.join('')).toBe(text);
  },
);

it.each<[readonly number[], readonly string[]]>([
  [[], ['a🙂b']],
  [[0, 0], ['a🙂b']],
  [[1], ['a', '\ud83d', '\ude42', 'b']],
  [
    [0, 3],
    ['', 'a🙂', '', 'b'],
  ],
  [
    [9, 0],
    ['a🙂b', ''],
  ],
])('cuts into lengths %j', (lengths, pieces) => expect(cutInto('a🙂b', lengths)).toEqual(pieces));

const call = 'Action: work\nAction Input: {}';

async function play(behaviour: ToolBehaviour) {
  const clock = virtualClock();
  const agent = createAgent({
    model: scriptedModel([call, 'Final Answer: done']),
    tools: { work: toolOf(behaviour, clock, { readOnly: true }) },
    clock,
  });
  return (await clock.until(agent.run('work'))).steps[0]?.calls[0];
}

it.each<[ToolBehaviour, object]>([
  [
    { does: 'returns', afterMs: 50, value: { a: 1 } },
    { status: 'succeeded', output: { a: 1 }, endedAtMs: 50 },
  ],
  [
    { does: 'floods', afterMs: 0, characters: 200_000 },
    { status: 'succeeded', output: null },
  ],
  [
    { does: 'odd', afterMs: 0, value: 'bigint' },
    { status: 'succeeded', output: String(2n ** 70n) },
  ],
  [
    { does: 'throws', afterMs: 1, message: 'no disk' },
    { status: 'failed', endedAtMs: 1 },
  ],
  [
    { does: 'throws_odd', afterMs: 0, value: 'circular' },
    { status: 'failed', endedAtMs: 0 },
  ],
  [{ does: 'hangs' }, { status: 'failed', endedAtMs: 15_000 }],
  [
    { does: 'stops_on_abort', rejects: true },
    { status: 'failed', endedAtMs: 15_000 },
  ],
])('a tool does what its data says: %j', async (behaviour, expected) => {
  expect(await play(behaviour)).toMatchObject(expected);
});

test.prop([toolBehaviour], { numRuns: 300 })('whatever a tool does, its call has a result', async (behaviour) => {
  expect(['succeeded', 'failed', 'unknown']).toContain((await play(behaviour))?.status);
});

test.prop(
  [fc.constantFrom(...replyDialects).chain((dialect) => fc.tuple(fc.constant(dialect), script(dialect))), budget],
  {
    numRuns: 200,
  },
)('a script plays to an end within a budget', async ([dialect, replies], limits) => {
  const clock = virtualClock();
  const model = scriptedModel(replies, { clock });
  const tools = { look: toolOf({ does: 'returns', afterMs: 0, value: 1 }, clock) };
  const outcome = await clock.until(createAgent({ model, tools, dialect, clock, budget: limits }).run('the task'));
  expect(outcome.ok).toBe(outcome.stopReason === 'final');
  expect(outcome.usage.steps).toBeLessThanOrEqual(limits.maxSteps);
  expect(model.requests.length).toBeLessThanOrEqual(limits.maxSteps * (defaults.modelRetries + 1));
});
