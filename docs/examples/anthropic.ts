/** A model of Anthropic: here a server of ours, which needs no key. Run it with `npx tsx docs/examples/anthropic.ts`. */
import { createServer } from 'node:http';

const replies = [
  [
    { type: 'thinking', thinking: 'A tool can do this.', signature: 'c2lnbmVk' },
    { type: 'text', text: 'I calculate it.' },
    { type: 'tool_use', id: 'toolu_1', name: 'calculator', input: { expression: '2340 * 17 / 100' } },
  ],
  [{ type: 'text', text: '17 % of 2,340 is 397.8.' }],
];

let asked = 0;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const content = replies[asked++] ?? [];
    const stop_reason = asked < replies.length ? 'tool_use' : 'end_turn';
    const usage = { input_tokens: 30, cache_read_input_tokens: 1_200, output_tokens: 40 };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ type: 'message', role: 'assistant', content, stop_reason, usage }));
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
server.unref();
const address = server.address();
if (typeof address === 'object' && address !== null)
  Object.assign(process.env, { ANTHROPIC_BASE_URL: `http://127.0.0.1:${address.port}`, ANTHROPIC_API_KEY: 'none' });

// #region anthropic
import { createAgent } from 'fuseloop';
import { anthropic } from 'fuseloop/anthropic';
import { calculator } from 'fuseloop/tools';

const model = anthropic({ model: 'claude-sonnet-4-5', thinking: { budgetTokens: 2_000 } }); // ANTHROPIC_API_KEY
const agent = createAgent({ model, dialect: 'native', tools: { calculator } });
const outcome = await agent.run('What is 17 % of 2,340?');
console.log(outcome.ok && outcome.answer, outcome.usage.inputTokens, outcome.usage.estimated);
// #endregion
await model.close();
