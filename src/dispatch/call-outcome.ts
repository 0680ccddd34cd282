/** What came of a call, and the forms it takes. Pure. */
import type { CallResult, ErrorRecord } from '../core/events.ts';
import { fingerprint } from '../core/fingerprint.ts';
import type { JsonValue } from '../core/json.ts';
import type { CompiledTool } from './toolbox.ts';

export interface CallOutcome {
  readonly result: CallResult;
  readonly observation: string;
  /** Code units of the whole, where the observation was cut. */
  readonly cutFrom?: number;
  readonly output: JsonValue | null;
  readonly resultKey: string;
  /** There was none in time. */
  readonly timedOut?: true;
  /** The result holds nothing. */
  readonly empty?: boolean;
  /** What the checks of an answer noted, where it is one. */
  readonly notes?: readonly string[];
  /** What was thrown, for the trace alone. */
  readonly error?: ErrorRecord;
}

export function failed(observation: string, error: ErrorRecord | null = null): CallOutcome {
  return { result: 'failed', observation, output: null, resultKey: fingerprint(observation), ...errorIn(error) };
}

/** It was started, and nobody knows whether its effect happened as it should. */
export function unknown(observation: string, error: ErrorRecord | null = null): CallOutcome {
  return { result: 'unknown', observation, output: null, resultKey: 'unknown', ...errorIn(error) };
}

/** Whether it may be started again with the same input, whatever came of the first time. */
export function mayRunAgain({ effect }: Pick<CompiledTool, 'effect'>): boolean {
  return effect === 'readOnly' || effect === 'idempotent';
}

function errorIn(error: ErrorRecord | null): { readonly error?: ErrorRecord } {
  return error === null ? {} : { error };
}
