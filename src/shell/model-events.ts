/** Checks of what a model adapter yields: it is foreign code, perhaps without types. Pure. */
import type { CallPiece, ModelEvent, ModelFailed, ModelName } from '../core/model.ts';
import { isCount } from './shape.ts';

export type ModelNamed = Extract<ModelEvent, { type: 'model' }>;

export function isText(event: ModelEvent): event is Extract<ModelEvent, { readonly text: string }> {
  return (event.type === 'text' || event.type === 'reasoning') && typeof event.text === 'string';
}

export function isCallPiece(event: ModelEvent): event is CallPiece {
  if (event.type !== 'call') return false;
  const { index, id, tool, input } = event;
  const hasTexts = typeof tool === 'string' && typeof input === 'string';
  return hasTexts && (id === null || typeof id === 'string') && (index === null || Number.isInteger(index));
}

export function isModelNamed(event: ModelEvent): event is ModelNamed {
  if (event.type !== 'model' || !isName(event)) return false;
  return event.insteadOf === undefined || (isName(event.insteadOf) && hasWords(event.insteadOf));
}

export function isFailed(event: ModelEvent): event is ModelFailed {
  return event.type === 'failed' && hasWords(event);
}

/** How long the server asks to wait before another try; null where it does not say, undefined where none is worth it. */
export function retryOf({ retry }: Pick<ModelFailed, 'retry'>): number | null | undefined {
  if (typeof retry !== 'object' || retry === null) return undefined;
  const { afterMs } = retry;
  return typeof afterMs === 'number' && Number.isFinite(afterMs) && afterMs >= 0 ? afterMs : null;
}

export function isUsage(usage: { inputTokens: unknown; outputTokens: unknown } | null | undefined): boolean {
  return isCount(usage?.inputTokens) && isCount(usage?.outputTokens);
}

function isName({ provider, name }: ModelName): boolean {
  return typeof provider === 'string' && typeof name === 'string';
}

function hasWords({ failure, message, hint }: Omit<ModelFailed, 'type'>): boolean {
  return [failure, message, hint].every((word) => typeof word === 'string');
}
