/** Several models behind one: a function says for each request which is asked. No network, no timer, no state. */
import { AgentError } from '../core/errors.ts';
import { isModel } from '../core/is-model.ts';
import { messageOf } from '../core/message-of.ts';
import type { Model, ModelEvent, ModelFailed, ModelRequest } from '../core/model.ts';
import { failed } from './common/failed.ts';
import { closeAll, kindOf, nameOf } from './common/given-model.ts';
import { guarded } from './common/guarded.ts';
import { createLeave, type Leave, leavable, unheeded } from './common/leave.ts';

export interface RoutedModel extends Model {
  /** Closes those of the models that can be closed. */
  close(): Promise<void>;
}

/**
 * A model that asks the one that `choose` names, such as
 * `routeBy({ small, large }, ({ step }) => (step < 3 ? 'small' : 'large'))`. It is announced by a `model` event, and its
 * reply is passed on as it is. `choose` is called once for each try; it is pure as far as we are concerned, and decides at
 * once.
 *
 * A `choose` that throws, gives a promise or names no model is a reply that is `failed` (`contract`). Throws an AgentError
 * (`invalid_option`) for an empty set, and for what is no model. After that it never throws.
 */
export function routeBy<const Key extends string>(
  models: { readonly [key in Key]: Model },
  choose: (request: ModelRequest) => NoInfer<Key>,
): RoutedModel {
  const named = checkedModels(models);
  if (typeof choose !== 'function')
    throw new AgentError('invalid_option', `routeBy has ${kindOf(choose)} in place of a function.`, { hint: usage });
  return {
    provider: 'routeBy',
    name: [...named.values()].map(({ name }) => name).join(' | '),
    generate(request) {
      const leave = createLeave();
      return leavable(askOne({ named, choose }, request, leave), leave.leave);
    },
    close: () => closeAll(named.values()),
  };
}

const usage =
  "routeBy takes models under names of your own and a function that gives one of the names: routeBy({ small, large }, ({ step }) => (step < 3 ? 'small' : 'large')).";

interface Route {
  readonly named: ReadonlyMap<string, Model>;
  readonly choose: (request: ModelRequest) => unknown;
}

async function* askOne(route: Route, request: ModelRequest, leave: Leave): AsyncGenerator<ModelEvent> {
  const chosen = chosenOf(route, request);
  if (!isModel(chosen)) return yield chosen;
  yield { type: 'model', ...nameOf(chosen) };
  yield* guarded(chosen, request, leave);
}

/** The user's own function: it may do anything. */
function chosenOf({ named, choose }: Route, request: ModelRequest): Model | ModelFailed {
  const hint = `The function gives one of these at once: ${[...named.keys()].join(', ')}.`;
  try {
    const key = choose(request);
    unheeded(() => key);
    const model = typeof key === 'string' ? named.get(key) : undefined;
    const what = typeof key === 'string' ? JSON.stringify(key.slice(0, 100)) : kindOf(key);
    return (
      model ?? failed('contract', `The function of routeBy gave ${what}, which names none of its models.`, { hint })
    );
  } catch (thrown) {
    return failed('contract', `The function of routeBy threw: ${messageOf(thrown)}`, { hint });
  }
}

function checkedModels(models: Readonly<Record<string, Model>>): ReadonlyMap<string, Model> {
  const given: unknown = models;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new AgentError('invalid_option', `routeBy was given ${kindOf(given)}.`, { hint: usage });
  const named = new Map(Object.entries(models));
  if (named.size === 0) throw new AgentError('invalid_option', 'routeBy was given no model.', { hint: usage });
  for (const [key, model] of named)
    if (!isModel(model))
      throw new AgentError('invalid_option', `The model ${JSON.stringify(key)} of routeBy is ${kindOf(model)}.`, {
        hint: usage,
      });
  return named;
}
