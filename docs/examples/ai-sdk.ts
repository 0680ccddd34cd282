/** A model of the AI SDK: here its own model for tests, which needs no key. Run it with `npx tsx docs/examples/ai-sdk.ts`. */
// #region ai-sdk
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { createAgent } from 'fuseloop';
import { aiSdk } from 'fuseloop/ai-sdk';

// In your program: const model = anthropic('claude-sonnet-4-5'), of @ai-sdk/anthropic.
const model = new MockLanguageModelV3({
  provider: 'anthropic.messages',
  modelId: 'claude-sonnet-4-5',
  doStream: async () => ({
    stream: simulateReadableStream({
      chunks: [
        { type: 'text-delta', id: '0', delta: 'Thought: I know it.\n' },
        { type: 'text-delta', id: '0', delta: 'Final Answer: 42' },
        {
          type: 'finish',
          finishReason: { unified: 'stop', raw: 'end_turn' },
          usage: {
            inputTokens: { total: 210, noCache: 210, cacheRead: undefined, cacheWrite: undefined },
            outputTokens: { total: 12, text: 12, reasoning: undefined },
          },
        },
      ],
    }),
  }),
});

const outcome = await createAgent({ model: aiSdk(model) }).run('What is 6 times 7?');
console.log(outcome.ok && outcome.answer, outcome.usage.inputTokens, outcome.usage.estimated);
// #endregion
