/** A busy server, and a reply that breaks off. Run it with `npx tsx docs/examples/model-retries.ts`. */
// #region model-retries
import { createAgent } from 'fuseloop';
import { scriptedModel, virtualClock } from 'fuseloop/testing';

const clock = virtualClock(); // so that this page need not wait
const model = scriptedModel([
  { failure: { failure: 'rate_limited', message: 'Too many requests.', retry: { afterMs: 2_000 } } },
  {
    text: 'Thought: It is 4',
    failure: { failure: 'broke_off', message: 'The connection was reset.', retry: { afterMs: 0 } },
  },
  'Thought: It is 42.\nFinal Answer: 42',
]);

const agent = createAgent({
  model,
  modelRetries: 2, // the default
  clock,
  onEvent: (event) => {
    if (event.type === 'prompt.sent') console.log(`${event.atMs} ms: try ${event.attempt ?? 1} of step ${event.step}`);
    if (event.type === 'reply.failed') console.log(`${event.atMs} ms: ${event.message}`);
  },
});

const outcome = await clock.until(agent.run('What is 6 times 7?'));
console.log(outcome.ok ? `${outcome.answer}, in ${outcome.usage.steps} step` : outcome.stopReason);
// #endregion
