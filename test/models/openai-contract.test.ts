import { openai } from '../../src/models/openai.ts';
import { type ServerAnswer, startOpenaiServer } from '../support/openai-server.ts';
import { type ModelUnderTest, modelContract, type Situation } from './model-contract.ts';

modelContract('openai, streaming', (situation) => underTest(situation, true));

modelContract('openai, in one piece', (situation) => underTest(situation, false), {
  tellTextBeforeTheEnd: 'a reply in one piece is seen whole or not at all',
});

async function underTest(situation: Situation, stream: boolean): Promise<ModelUnderTest> {
  const server = await startOpenaiServer(answerFor(situation, stream), 7);
  const model = openai({ model: 'test-model', baseURL: server.baseURL, apiKey: '', stream });
  return {
    model,
    async close() {
      await model.close();
      await server.close();
    },
  };
}

function answerFor({ text, calls: made, ending }: Situation, stream: boolean): ServerAnswer {
  const calls = made?.map(({ tool, input }) => ({ name: tool, arguments: input }));
  const said = { text, ...(calls === undefined ? {} : { calls }) };
  switch (ending) {
    case 'refused':
      return { status: 400, body: '{"error":{"message":"The messages are empty."}}' };
    case 'broke_off':
      return stream ? { ...said, finishReason: null, done: false } : { body: '{"choices":[', end: 'reset' };
    case 'silence':
      return stream ? { ...said, finishReason: null, done: false, end: 'hang' } : { chunks: [], end: 'hang' };
    default:
      return { ...said, finishReason: ending };
  }
}
