/** An OpenAI-compatible model: here a server of ours, which needs no key. Run it with `npx tsx docs/examples/openai.ts`. */
import { createServer } from 'node:http';

const replies = [
  { status: 503, body: { error: { message: 'Overloaded.', type: 'server_error' } } },
  {
    status: 200,
    body: {
      choices: [
        { message: { role: 'assistant', content: 'Thought: I know it.\nFinal Answer: 42' }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 210, completion_tokens: 12 },
    },
  },
];

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const { status, body } = replies.shift() ?? { status: 500, body: {} };
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '5' });
    response.end(JSON.stringify(body));
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
server.unref();
const address = server.address();
if (typeof address === 'object' && address !== null)
  Object.assign(process.env, { OPENAI_BASE_URL: `http://127.0.0.1:${address.port}/v1`, OPENAI_API_KEY: 'none' });

// #region openai
import { createAgent } from 'fuseloop';
import { openai } from 'fuseloop/openai';

const model = openai({ model: 'gpt-4o-mini', timeouts: { firstTokenMs: 20_000 } }); // OPENAI_API_KEY, OPENAI_BASE_URL
const agent = createAgent({ model, dialect: 'labelled' });
const outcome = await agent.run('What is 6 times 7?');
console.log(outcome.ok && outcome.answer, outcome.usage.inputTokens, outcome.usage.estimated);
// #endregion
await model.close();
