/** Several models behind one: the next is asked where one fails. No network, no timer, nothing kept between requests. */
import { AgentError } from '../core/errors.ts';
import { isModel } from '../core/is-model.ts';
import { checkKnown } from '../core/known-options.ts';
import { messageOf } from '../core/message-of.ts';
import type { Model, ModelEvent, ModelFailed, ModelName, ModelRequest } from '../core/model.ts';
import { aborted, failed } from './common/failed.ts';
import { closeAll, kindOf, nameOf } from './common/given-model.ts';
import { guarded } from './common/guarded.ts';
import { createLeave, type Leave, leavable, unheeded } from './common/leave.ts';

export interface FallbackOptions {
  /**
   * Whether another model may be asked after this failure; false passes it on as it is. Default: after any but
   * `aborted`, of which it is never asked.
   */
  readonly on?: ((failure: ModelFailed) => boolean) | undefined;
}

export interface FallbackModel extends Model {
  /** Closes those of the models that can be closed. */
  close(): Promise<void>;
}

/**
 * A model that asks the first of `models`. Where it fails before any text, reasoning or call of its reply was passed on, the
 * next is asked at once; each is announced by a `model` event, which says whom it stands in for and why. Where it fails
 * later, the reply is `failed` with `retry: { afterMs: 0 }`: what was passed on cannot be taken back, and the loop asks
 * again as its `modelRetries` allow. Each such try begins one model further (the n-th one with the n-th), so that what
 * broke off is not asked first again. A reply that is withheld (`content_filter`) is none that failed.
 *
 * Where all fail, one `failed` names each with its reason; its kind is the last one's, and `retry` is there where any may
 * be tried again, with the shortest wait, or null where one of them does not say. A model that breaks the contract of the
 * port has failed (`contract`). A silent one is waited for as long as the loop's `timeouts` say, and its next try is
 * another model's.
 *
 * Throws an AgentError (`invalid_option`) for an empty list, what is no model, and unknown options. After that it never throws.
 */
export function fallback(models: readonly Model[], options: FallbackOptions = {}): FallbackModel {
  const chain: Chain = { models: checkedModels(models), on: checkedOn(options) };
  return {
    provider: 'fallback',
    name: chain.models.map(({ name }) => name).join(' | '),
    generate(request) {
      const leave = createLeave();
      return leavable(askInTurn(chain, request, leave), leave.leave);
    },
    close: () => closeAll(chain.models),
  };
}

interface Chain {
  readonly models: readonly Model[];
  readonly on: (failure: ModelFailed) => boolean;
}

interface Failure {
  readonly model: ModelName;
  readonly failed: ModelFailed;
  /** Something of the reply was passed on before. */
  readonly begun: boolean;
}

async function* askInTurn(chain: Chain, request: ModelRequest, leave: Leave): AsyncGenerator<ModelEvent> {
  const failures: Failure[] = [];
  for (const model of inTurn(chain.models, request.attempt)) {
    yield { type: 'model', ...nameOf(model), ...insteadOf(failures.at(-1)) };
    const failure = yield* passOn(model, guarded(model, request, leave));
    if (failure === null) return;
    const last = lastWord(chain, request, failure);
    if (last !== null) return yield last;
    failures.push(failure);
  }
  yield allFailed(failures);
}

/** What may be passed on of a reply; its failure is given back. */
async function* passOn(model: Model, events: AsyncGenerator<ModelEvent>): AsyncGenerator<ModelEvent, Failure | null> {
  let begun = false;
  for await (const event of events) {
    if (event.type === 'failed') return { model: nameOf(model), failed: event, begun };
    begun ||= holdsSomething(event);
    yield event;
  }
  return null;
}

function holdsSomething(event: ModelEvent): boolean {
  return event.type === 'call' || ((event.type === 'text' || event.type === 'reasoning') && event.text !== '');
}

/** How the whole reply ends because of this failure; null where the next model may be asked. */
function lastWord({ models, on }: Chain, request: ModelRequest, { model, failed: why, begun }: Failure) {
  if (why.failure === 'aborted') return why;
  if (request.signal.aborted) return aborted(model.provider);
  const may = allowed(on, why);
  if (typeof may !== 'boolean') return may;
  if (!may || (begun && models.length === 1)) return why;
  return begun ? { ...why, retry: { afterMs: 0 } } : null;
}

/** The user's own function: it may do anything. */
function allowed(on: Chain['on'], failure: ModelFailed): boolean | ModelFailed {
  const hint = 'on is a function that gives true or false, at once.';
  try {
    const may: unknown = on(failure);
    unheeded(() => may);
    return typeof may === 'boolean' ? may : failed('contract', `on of fallback gave ${kindOf(may)}.`, { hint });
  } catch (thrown) {
    return failed('contract', `on of fallback threw: ${messageOf(thrown)}`, { hint });
  }
}

/** From the one on whose turn it is in this try, once around. */
function inTurn(models: readonly Model[], attempt: number): readonly Model[] {
  const from = Number.isSafeInteger(attempt) && attempt > 1 ? (attempt - 1) % models.length : 0;
  return [...models.slice(from), ...models.slice(0, from)];
}

function insteadOf(before: Failure | undefined) {
  if (before === undefined) return {};
  const { failure, message, hint } = before.failed;
  return { insteadOf: { ...before.model, failure, message, hint } };
}

function allFailed(failures: readonly Failure[]): ModelFailed {
  const [only] = failures;
  if (only !== undefined && failures.length === 1) return only.failed;
  const each = failures.map(
    ({ model, failed }) => `${model.name} (${model.provider}), ${failed.failure}: ${failed.message}`,
  );
  const waits = failures.flatMap(({ failed: { retry } }) => (retry === undefined ? [] : [retry.afterMs]));
  return failed(
    failures.at(-1)?.failed.failure ?? 'contract',
    `None of ${failures.length} models answered. ${each.join(' ')}`,
    {
      hint: [...new Set(failures.map(({ failed }) => failed.hint))].join(' '),
      retry: waits.length === 0 ? undefined : { afterMs: shortest(waits) },
    },
  );
}

/** What is not said is left to the loop, whose own waits are short. */
function shortest(waits: readonly (number | null)[]): number | null {
  const said = waits.filter((wait) => wait !== null);
  return said.length === waits.length || said.includes(0) ? Math.min(...said) : null;
}

function checkedModels(models: readonly Model[]): readonly Model[] {
  const hint = 'fallback takes a list of at least one model, such as fallback([openai({ … }), anthropic({ … })]).';
  const given: unknown = models;
  if (!Array.isArray(given)) throw new AgentError('invalid_option', `fallback was given ${kindOf(given)}.`, { hint });
  if (given.length === 0) throw new AgentError('invalid_option', 'fallback was given no model.', { hint });
  const wrong = given.findIndex((model: unknown) => !isModel(model));
  if (wrong !== -1)
    throw new AgentError(
      'invalid_option',
      `Of the models of fallback, number ${wrong + 1} is ${kindOf(given[wrong])}, not a model.`,
      { hint },
    );
  return Object.freeze([...models]);
}

function checkedOn(options: FallbackOptions): Chain['on'] {
  checkKnown('fallback', options, ['on']);
  const { on = () => true } = options;
  if (typeof on !== 'function')
    throw new AgentError('invalid_option', `on of fallback is ${kindOf(on)}.`, {
      hint: "on is a function such as (failure) => failure.failure !== 'refused'.",
    });
  return on;
}
