/** A run as the inspector uses it: what `agent.start` and `agent.resume` give, by its form. Types only. */
import type { JsonValue } from '../../core/json.ts';
import type { LiveEvent } from '../../core/trace.ts';

export interface WatchedRun extends AsyncIterable<LiveEvent> {
  readonly runId: string;
  approve(callId: string, decision?: { readonly input?: JsonValue; readonly by?: string }): void;
  deny(callId: string, why?: string, decision?: { readonly by?: string }): void;
  abort(reason?: unknown): void;
}
