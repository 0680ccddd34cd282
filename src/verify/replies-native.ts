/** How models write with the provider's own calls: text, and behind it calls, whose input is JSON, well formed or not. */
import type { ScriptedCall } from '../models/scripted.ts';
import { jsonInputs, prose, toolNames } from './arbitrary-input.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import { answerOf, type Meaning, type MeantReply, type Named, type ReplyRow } from './meant-reply.ts';

export const nativeRow: ReplyRow = {
  replies: (fc, named) =>
    fc.oneof({ weight: 2, arbitrary: callReplies(fc, named) }, { weight: 1, arbitrary: answers(fc) }),
  fragments: ['I look. ', '[tool call: look {"q": 1}]', '{"name": "look", "arguments": {"q": 1}}', 'So it is 4.', '[]'],
  spoilers: [(text) => `${text} [tool call: look {"q": 1}]`, (text) => `\`\`\`\n${text}`],
  faults: ['[tool call: look {}]', 'look({"q": 1})', '<tool_call>', '[TOOL_CALLS]', 'functions.look:0', 'It is 4.'],
};

function callReplies(fc: FastCheck, named: Named): Arbitrary<MeantReply> {
  const call = fc.record({ tool: toolNames(fc), input: jsonInputs(fc), twice: fc.boolean() });
  return fc
    .record({
      thought: fc.option(prose(fc)),
      calls: fc.array(call, { minLength: 1, maxLength: 3 }),
      hasIds: fc.boolean(),
    })
    .map(({ thought, calls, hasIds }) => ({
      text: thought ?? '',
      calls: calls.map(({ tool, input, twice }, index): ScriptedCall => {
        const json = JSON.stringify(input);
        const id = hasIds ? { id: `call_${index}` } : {};
        return { tool: named(tool), inputText: twice ? JSON.stringify(json) : json, ...id };
      }),
      meaning: { kind: 'calls', thought, calls: calls.map(({ tool, input }) => ({ tool, input })) } satisfies Meaning,
    }));
}

function answers(fc: FastCheck): Arbitrary<MeantReply> {
  return fc.record({ thought: fc.option(prose(fc)), told: prose(fc) }).map(({ thought, told }) => ({
    text: `${thought === null ? '' : `<think>\n${thought}\n</think>\n`}${told}`,
    meaning: answerOf(thought, told),
  }));
}

/** Calls that a provider may send where its model went wrong. */
export function brokenCalls(fc: FastCheck): Arbitrary<readonly ScriptedCall[]> {
  const inputText = fc.constantFrom(
    ...[
      '',
      ' ',
      '{',
      '{"q": ',
      '{"q": 1}}',
      "{'q': 1}",
      '[1]',
      '"text"',
      'null',
      '7',
      'q=1',
      '{"q": "say("x")"}',
      '\ud83d',
    ],
    '['.repeat(10_000),
  );
  const tool = fc.oneof(toolNames(fc), fc.constantFrom('', ' ', 'functions.look', 'look send', 'x'.repeat(300)));
  const call = fc.oneof(
    fc.record({ tool, inputText }),
    fc.record({ tool, inputText, id: fc.constantFrom('a', 'b', '') }),
    fc.record({ tool, input: jsonInputs(fc) }),
  );
  return fc.array(call, { maxLength: 4 });
}
