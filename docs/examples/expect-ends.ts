// #region expect-ends
import { createAgent, tool } from 'fuseloop';
import { expectEnds } from 'fuseloop/testing';

const tools = {
  weather: tool({
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    readOnly: true,
    execute: ({ city }) => (city === '' ? Promise.reject(new Error('Which city?')) : 'sunny'),
  }),
};

// In your test: it throws, and the message holds the smallest script that breaks a promise.
await expectEnds(({ model, clock }) => createAgent({ model, clock, tools }), { tools, runs: 300 });
// #endregion
console.log('300 hostile models, and the agent ended each time.');
