/** Several models behind one: the trace says who was asked. Run it with `npx tsx docs/examples/several-models.ts`. */
// #region several-models
import { createAgent } from 'fuseloop';
import { fallback, routeBy } from 'fuseloop/models';
import { scriptedModel } from 'fuseloop/testing';

// In your program: openai({ model: 'gpt-4o-mini' }), and so on.
const small = scriptedModel(['Thought: This is not enough.'], { name: 'small' });
const busy = scriptedModel([{ failure: { failure: 'rate_limited', message: 'Too many requests.' } }], { name: 'busy' });
const large = scriptedModel(['Thought: I know it.\nFinal Answer: 42'], { name: 'large' });

const model = routeBy({ small, large: fallback([busy, large]) }, ({ step }) => (step < 2 ? 'small' : 'large'));
const agent = createAgent({
  model,
  onEvent: (event) => {
    if (event.type !== 'model.asked') return;
    const why = event.insteadOf === undefined ? '' : `, as ${event.insteadOf.name} said: ${event.insteadOf.message}`;
    console.log(`step ${event.step}: ${event.name}${why}`);
  },
});

const outcome = await agent.run('What is 6 times 7?');
console.log(outcome.ok && outcome.answer);
// #endregion
