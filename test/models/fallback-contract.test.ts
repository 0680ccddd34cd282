/** The contract of a model holds for several behind one, wherever in them the reply comes from. */
import type { Model, ModelEvent } from '../../src/core/model.ts';
import { fallback } from '../../src/models/fallback.ts';
import { routeBy } from '../../src/models/route-by.ts';
import { type ScriptedReply, scriptedModel } from '../../src/models/scripted.ts';
import { modelContract, type Situation } from './model-contract.ts';

const down: ScriptedReply = { failure: { failure: 'connection', message: 'There is no way.' } };
const replies = (reply: ScriptedReply) => [reply, reply, reply, reply];

const wholes: readonly (readonly [string, (model: Model) => Model])[] = [
  ['fallback of one', (model) => fallback([model])],
  ['fallback, answered by the first', (model) => fallback([model, scriptedModel([])], { on: () => false })],
  ['fallback, answered by the second', (model) => fallback([scriptedModel(replies(down)), model])],
  ['routeBy', (model) => routeBy({ one: model, other: scriptedModel([]) }, () => 'one')],
  ['routeBy in fallback', (model) => fallback([scriptedModel(replies(down)), routeBy({ model }, () => 'model')])],
  ['fallback in routeBy', (model) => routeBy({ chain: fallback([model]) }, () => 'chain')],
];

for (const [name, whole] of wholes)
  modelContract(name, async (situation) => ({
    model: announced(whole(scriptedModel(replies(replyFor(situation))))),
    close: async () => {},
  }));

function replyFor({ text, calls = [], ending }: Situation): ScriptedReply {
  const said = { text, calls: calls.map(({ tool, input }) => ({ tool, inputText: input })) };
  if (ending === 'silence') return { ...said, betweenMs: 2 ** 30 };
  if (ending === 'refused' || ending === 'broke_off')
    return { ...said, failure: { failure: ending, message: 'The script fails here.' } };
  return { ...said, finish: ending };
}

/** The suite reads texts alone: what announces a model is left out, and must stand before them. */
function announced(model: Model): Model {
  return {
    ...model,
    generate(request): AsyncIterableIterator<ModelEvent> {
      const events = model.generate(request)[Symbol.asyncIterator]();
      let begun = false;
      return {
        async next() {
          for (;;) {
            const next = await events.next();
            if (next.done || next.value.type !== 'model') {
              begun ||= next.done !== true;
              return next;
            }
            if (begun) throw new Error('A model was announced behind a piece of the reply.');
          }
        },
        return: async () => (await events.return?.()) ?? { done: true, value: undefined },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },
  };
}
