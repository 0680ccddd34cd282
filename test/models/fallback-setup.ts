/** Models that tell what a test says, and what is told of several behind one. */
import type { Model, ModelEvent, ModelFailed, ModelFailure } from '../../src/core/model.ts';
import { type FallbackOptions, fallback } from '../../src/models/fallback.ts';
import { collect, requestOf } from './asking.ts';

/** A model that tells these events; what is not an event may be among them. */
export function telling(name: string, events: readonly unknown[]): Model & { readonly asked: number[] } {
  const asked: number[] = [];
  return {
    provider: `${name}-provider`,
    name,
    asked,
    generate(request) {
      asked.push(request.attempt);
      return replay(events);
    },
  };
}

/** Foreign code may yield anything. */
export async function* replay(events: readonly unknown[]): AsyncGenerator<ModelEvent> {
  for (const event of events) {
    if (event instanceof Error) throw event;
    yield event as ModelEvent;
  }
}

export const failed = (failure: ModelFailure, retry?: ModelFailed['retry']): ModelFailed => ({
  type: 'failed',
  failure,
  message: `It was ${failure}.`,
  hint: `See to ${failure}.`,
  ...(retry && { retry }),
});
export const text = (said: string): ModelEvent => ({ type: 'text', text: said });
export const end: ModelEvent = { type: 'end', finish: 'stop', usage: null };
export const well = (name: string) => telling(name, [text(name), end]);

/** Who was announced, and instead of whom for which failure. */
export function announced(events: readonly ModelEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === 'model'
      ? [
          `${event.name}${event.insteadOf === undefined ? '' : ` for ${event.insteadOf.name}: ${event.insteadOf.failure}`}`,
        ]
      : [],
  );
}

export const ask = (models: readonly Model[], options: FallbackOptions = {}, attempt = 1) =>
  collect(fallback(models, options).generate(requestOf({ attempt })));
