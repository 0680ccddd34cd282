/**
 * A model behind another: its reply with the contract of the port (src/core/model.ts) made sure of, so that what it breaks
 * counts as its own failure and names it.
 */
import { read } from '../core/error-text.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import { messageOf } from '../core/message-of.ts';
import type { Model, ModelEvent, ModelFailed, ModelFailure, ModelName, ModelRequest } from '../core/model.ts';
import { type Leave, unheeded } from './leave.ts';

/** Any number of pieces, then one `end` or `failed`, unless the reply is left before. Throws nothing. */
export async function* guarded(model: Model, request: ModelRequest, leave: Leave): AsyncGenerator<ModelEvent> {
  let reply: AsyncIterator<unknown> | null = null;
  let over = false;
  try {
    for (;;) {
      const next = await leave.wait(() => {
        reply ??= model.generate(request)[Symbol.asyncIterator]();
        return reply.next();
      });
      if (next.kind === 'left') return;
      const event = next.kind === 'thrown' ? failureOf(model, request, next.thrown) : eventOf(model, next.value);
      over = event.type === 'end' || event.type === 'failed';
      yield event;
      if (over) return;
    }
  } finally {
    unheeded(() => reply?.return?.());
  }
}

export function failed(
  failure: ModelFailure,
  message: string,
  { hint, retry }: { readonly hint: string; readonly retry?: ModelFailed['retry'] | undefined },
): ModelFailed {
  return { type: 'failed', failure, message, hint, ...(retry === undefined ? {} : { retry }) };
}

export function aborted(provider: string): ModelFailed {
  const hint = 'Nothing to do: whoever owns the signal no longer wanted the reply.';
  return failed('aborted', `The request to ${provider} was aborted.`, { hint });
}

/** Whether it can be asked at all. Never throws. */
export function isModel(value: unknown): value is Model {
  try {
    return (
      isJsonObject(value) &&
      typeof value.provider === 'string' &&
      typeof value.name === 'string' &&
      typeof Reflect.get(value, 'generate') === 'function'
    );
  } catch {
    return false;
  }
}

/** What it is, in a word or two; never the value. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return typeof read(value, 'then') === 'function' ? 'a promise' : 'an object';
  return `a ${typeof value}`;
}

export function nameOf({ provider, name }: ModelName): ModelName {
  return { provider, name };
}

/** Closes what can be closed, each once; rejects with the first error, after all were told. */
export async function closeAll(models: Iterable<Model>): Promise<void> {
  const closing = [...new Set(models)].map(async (model) => {
    if ('close' in model && typeof model.close === 'function') await model.close();
  });
  const failed = (await Promise.allSettled(closing)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

function failureOf(model: Model, request: ModelRequest, thrown: unknown): ModelFailed {
  return request.signal.aborted ? aborted(model.provider) : breach(model, `threw: ${messageOf(thrown)}`);
}

function eventOf(model: Model, result: IteratorResult<unknown>): ModelEvent {
  if (!isJsonObject(result)) return breach(model, 'gave something that is no step of an iteration');
  if (result.done === true) {
    const message = `The reply of ${model.provider} stopped without an end mark.`;
    return failed('broke_off', message, {
      hint: 'The connection was probably lost: ask again.',
      retry: { afterMs: null },
    });
  }
  const event: unknown = result.value;
  return isEvent(event) ? event : breach(model, 'yielded something that is not a model event');
}

function breach({ provider }: Model, what: string): ModelFailed {
  const hint = 'This is a defect of the adapter, not of the model.';
  return failed('contract', `The model adapter ${provider} ${what}.`, { hint });
}

function isEvent(value: unknown): value is ModelEvent {
  if (!isJsonObject(value)) return false;
  switch (value.type) {
    case 'text':
    case 'reasoning':
      return typeof value.text === 'string';
    case 'call':
      return isCallPiece(value);
    case 'model':
      return isName(value) && (value.insteadOf === undefined || (isName(value.insteadOf) && hasWords(value.insteadOf)));
    case 'failed':
      return hasWords(value) && isRetry(value.retry);
    default:
      return (
        value.type === 'end' &&
        (value.finish === 'stop' || value.finish === 'length' || value.finish === 'content_filter')
      );
  }
}

function isName(value: unknown): value is JsonObject {
  return isJsonObject(value) && typeof value.provider === 'string' && typeof value.name === 'string';
}

function hasWords({ failure, message, hint }: JsonObject): boolean {
  return [failure, message, hint].every((text) => typeof text === 'string');
}

function isCallPiece({ index, id, tool, input }: JsonObject): boolean {
  const isPlaced = index === null || Number.isInteger(index);
  return isPlaced && (id === null || typeof id === 'string') && typeof tool === 'string' && typeof input === 'string';
}

function isRetry(value: unknown): boolean {
  if (value === undefined) return true;
  return isJsonObject(value) && (value.afterMs === null || (typeof value.afterMs === 'number' && value.afterMs >= 0));
}
