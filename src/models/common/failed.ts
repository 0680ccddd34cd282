/** `failed` events, put together. Pure. */
import type { ModelFailed, ModelFailure } from '../../core/model.ts';

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
