/**
 * A reply played through a whole run, in pieces, comes to the step that the pure reader gives of the whole text: the machine
 * reads inside THOUGHT, stop by stop, and must read nothing else. For every dialect, and replies good and bad.
 */
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { createAgent } from '../../src/agent.ts';
import type { Message } from '../../src/core/model.ts';
import type { Step } from '../../src/core/outcome.ts';
import type { Reading } from '../../src/core/reading.ts';
import { type ScriptedCall, scriptedModel } from '../../src/models/scripted.ts';
import { tool } from '../../src/tool.ts';
import { arbitraries } from '../../src/verify/arbitraries.ts';
import { knownTools } from '../../src/verify/arbitrary-input.ts';
import { replyDialects } from '../../src/verify/arbitrary-reply.ts';
import { cutCalls, cutInto } from '../../src/verify/pieces.ts';
import { scanned } from '../../src/verify/reading-laws.ts';
import { brokenCalls } from '../../src/verify/replies-native.ts';
import { virtualClock } from '../../src/verify/virtual-clock.ts';

const { reply, malformedReply, chunking } = arbitraries(fc);
const tools = Object.fromEntries(
  knownTools.map((name) => [name, tool({ inputSchema: {}, readOnly: true, execute: () => 'seen' })]),
);

interface Written {
  readonly text: string;
  readonly calls?: readonly ScriptedCall[];
}

/** The step of the first reply, and the conversation behind it. */
async function played(dialect: string, { text, calls = [] }: Written, lengths: readonly number[]) {
  const clock = virtualClock();
  const said = { chunks: cutInto(text, lengths), calls };
  const model = scriptedModel([said, { text: '' }], { clock, chunkSize: lengths[0] || 9 });
  const limits = { budget: { maxSteps: 2, maxTokens: 10_000_000 }, sizes: { maxReplyTokens: 1_000_000 } };
  const agent = createAgent({ model, tools, dialect, clock, system: '', checkLaws: false, ...limits });
  const { steps } = await clock.until(agent.run('the task'));
  return { step: steps[0], written: model.requests[1]?.messages.slice(1) ?? [] };
}

function stepSeen(step: Step | undefined): unknown {
  if (step === undefined) return null;
  const calls = step.calls.map(({ tool: name, input, repaired }) => ({ tool: name, input, repaired }));
  return { thought: step.thought, calls, answer: step.answer, violation: step.violation?.code ?? null };
}

function stepRead(reading: Reading): unknown {
  const read = reading.kind === 'calls' ? reading.calls : [];
  return {
    thought: reading.thought,
    calls: read.map(({ tool: name, input, repaired = false }) => ({ tool: name, input, repaired })),
    answer: reading.kind === 'answer' ? reading.answer : null,
    violation: reading.kind === 'violation' ? reading.code : null,
  };
}

describe.each(replyDialects)('%s', (dialect) => {
  const text = fc.oneof(malformedReply(dialect), fc.string({ unit: 'binary', maxLength: 60 }));
  const calls = dialect === 'native' ? fc.oneof(fc.constant([]), brokenCalls(fc)) : fc.constant([]);
  const written: fc.Arbitrary<Written> = fc.oneof(reply(dialect), fc.record({ text, calls }));

  test.prop([written, chunking], { numRuns: 150 })(
    'the step of a run is what the reader gives of the whole reply',
    async (said, lengths) => {
      const whole = { text: [said.text], calls: cutCalls(said.calls ?? [], []) };
      const { reading } = scanned(whole, { dialect, tools: knownTools });
      const { step, written: messages } = await played(dialect, said, lengths);
      expect(stepSeen(step)).toEqual(stepRead(reading));
      if (reading.kind === 'calls') expect(messages.map(({ role }: Message) => role)[0]).toBe('assistant');
    },
  );
});
