/**
 * A model behind another: its reply with the contract of the port (src/core/model.ts) made sure of, so that what it breaks
 * counts as its own failure and names it.
 */
import { isJsonObject } from '../../core/json.ts';
import { messageOf } from '../../core/message-of.ts';
import type { Model, ModelEvent, ModelFailed, ModelRequest } from '../../core/model.ts';
import { readModelEvent } from '../../core/model-event.ts';
import { aborted, failed } from './failed.ts';
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
  return readModelEvent(result.value) ?? breach(model, 'yielded something that is not a model event');
}

function breach({ provider }: Model, what: string): ModelFailed {
  const hint = 'This is a defect of the adapter, not of the model.';
  return failed('contract', `The model adapter ${provider} ${what}.`, { hint });
}
