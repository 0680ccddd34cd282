import { anthropic } from '../../src/models/anthropic.ts';
import { type AnthropicAnswer, startAnthropicServer } from '../support/anthropic-server.ts';
import { call, text } from './anthropic-setup.ts';
import { type ModelUnderTest, modelContract, type Situation } from './model-contract.ts';

modelContract('anthropic, streaming', (situation) => underTest(situation, true));

modelContract('anthropic, in one piece', (situation) => underTest(situation, false), {
  tellTextBeforeTheEnd: 'a reply in one piece is seen whole or not at all',
});

async function underTest(situation: Situation, stream: boolean): Promise<ModelUnderTest> {
  const server = await startAnthropicServer(answerFor(situation, stream), { seed: 7 });
  const model = anthropic({ model: 'claude-test', baseURL: server.baseURL, apiKey: '', stream });
  return {
    model,
    async close() {
      await model.close();
      await server.close();
    },
  };
}

const stopReasons = { stop: 'end_turn', length: 'max_tokens', content_filter: 'refusal' } as const;

function answerFor({ text: said, calls = [], ending }: Situation, stream: boolean): AnthropicAnswer {
  const content = [...(said === '' ? [] : [text(said)]), ...calls.map(({ tool, input }) => call(tool, input))];
  switch (ending) {
    case 'refused':
      return {
        status: 400,
        body: '{"type":"error","error":{"type":"invalid_request_error","message":"It is empty."}}',
      };
    case 'broke_off':
      return stream ? { content, finishReason: null, done: false } : { body: '{"content":[', end: 'reset' };
    case 'silence':
      return stream ? { content, finishReason: null, done: false, end: 'hang' } : { chunks: [], end: 'hang' };
    default:
      return { content, finishReason: stopReasons[ending] };
  }
}
