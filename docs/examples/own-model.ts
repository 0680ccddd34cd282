/** A model of your own: the port in few lines. Run it with `npx tsx docs/examples/own-model.ts`. */
// #region own-model
import { createAgent, type Model } from 'fuseloop';

const echo: Model = {
  provider: 'mine',
  name: 'echo',
  async *generate({ messages, signal }) {
    const task = messages.at(-1)?.content ?? '';
    for (const text of ['Thought: I say it again.\n', 'Final Answer: ', task]) {
      if (signal.aborted)
        return yield { type: 'failed', failure: 'aborted', message: 'Not wanted any more.', hint: '' };
      yield { type: 'text', text };
    }
    yield { type: 'end', finish: 'stop', usage: { inputTokens: 12, outputTokens: 9 } };
  },
};

const { usage, ...outcome } = await createAgent({ model: echo }).run('Good morning.');
console.log(outcome.ok && outcome.answer, usage.totalTokens, usage.estimated);
// #endregion
