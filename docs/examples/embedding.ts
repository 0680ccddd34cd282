/** A host machine with states of its own that lets an agent do one part. Run it with `npx tsx docs/examples/embedding.ts`. */
// #region embedding
import { createAgent, type Outcome } from 'fuseloop';
import { scriptedModel } from 'fuseloop/testing';
import { assign, createActor, setup, waitFor } from 'xstate';

const agent = createAgent({
  model: scriptedModel(['Thought: A refund is due.\nFinal Answer: refund']),
  budget: { maxSteps: 5 },
});

export const ticketMachine = setup({
  types: {
    context: {} as { ticket: string; outcome: Outcome | null },
    input: {} as { ticket: string },
    events: {} as { type: 'customer.left' },
  },
  actors: { agent: agent.logic },
}).createMachine({
  id: 'ticket',
  context: ({ input }) => ({ ticket: input.ticket, outcome: null }),
  initial: 'deciding',
  states: {
    deciding: {
      // Leaving this state stops the actor, and stopping the actor aborts the run.
      on: { 'customer.left': 'closed' },
      invoke: {
        src: 'agent',
        input: ({ context }) => ({ task: `Decide about this ticket: ${context.ticket}` }),
        onDone: [
          {
            guard: ({ event }) => event.output.ok,
            target: 'decided',
            actions: assign({ outcome: ({ event }) => event.output }),
          },
          { target: 'escalated', actions: assign({ outcome: ({ event }) => event.output }) },
        ],
      },
    },
    decided: { type: 'final' },
    escalated: { type: 'final' },
    closed: { type: 'final' },
  },
});

const ticket = createActor(ticketMachine, { input: { ticket: 'The parcel never came.' } }).start();
const { value, context } = await waitFor(ticket, ({ status }) => status === 'done');
console.log(value, context.outcome?.ok === true ? context.outcome.answer : context.outcome?.stopReason);
// #endregion
