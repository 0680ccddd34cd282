/** What came from outside, checked so far that the page can show it: a server of another version may know other words. */
import type { LiveEvent } from '../../core/trace.ts';
import { isTraceEvent } from '../../core/trace.ts';
import type { EmbeddedRun, Refusal, ReplySoFar, RunSummary } from '../../observe/inspect/wire.ts';

/** Undefined where it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const readList = <Item>(value: unknown, is: (one: unknown) => one is Item): Item[] =>
  Array.isArray(value) ? value.filter(is) : [];

export const isText = (value: unknown): value is string => typeof value === 'string';

export function isEvent(value: unknown): value is LiveEvent {
  return isObject(value) && typeof value.type === 'string' && !Array.isArray(value);
}

export function isSummary(value: unknown): value is RunSummary {
  return isObject(value) && ['key', 'runId', 'phase'].every((name) => typeof Reflect.get(value, name) === 'string');
}

export function isEmbedded(value: unknown): value is EmbeddedRun {
  return isObject(value) && isSummary(value.summary) && Array.isArray(value.events);
}

export function isRefusal(value: unknown): value is Refusal {
  return isObject(value) && ['code', 'message', 'hint'].every((name) => typeof Reflect.get(value, name) === 'string');
}

export function isReply(value: unknown): value is ReplySoFar {
  return isObject(value) && typeof value.step === 'number' && typeof value.text === 'string';
}

export const countTraceEvents = (events: readonly LiveEvent[]): number => events.filter(isTraceEvent).length;

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null;
}
