/** Where runs come from: the inspector's server, or the page itself. */
import type { LiveEvent } from '../../core/trace.ts';
import type { Decision, Refusal, ReplySoFar, RunSummary } from '../../observe/inspect/wire.ts';

/** `refused`: the server answers, and does not let this page in. `file`: there is no server. */
export type Connection = 'connecting' | 'open' | 'lost' | 'refused' | 'file';

/** What was said against a decision: by the server, or by the page where no server was reached, or none that we know. */
export type Objection =
  | Refusal
  | { readonly code: 'unreachable' }
  | { readonly code: 'answered'; readonly status: number };

export interface RunsListener {
  /** `areAll`: those that were known before and are not among what comes now are gone. */
  runs(changed: readonly RunSummary[], areAll: boolean): void;
  gone(keys: readonly string[]): void;
  connection(connection: Connection): void;
}

export interface EventsListener {
  /** `from`: how many events of the trace came before the first of these. */
  events(events: readonly LiveEvent[], from: number): void;
  /** The reply that is arriving, up to now. */
  reply(reply: ReplySoFar): void;
  /** There will be no more, unless the run goes on. */
  end(): void;
  /** What was sent cannot be read: events with that id. */
  failed(id: string): void;
}

export interface Source {
  /** Both give what ends it. Events come from the first that is not known: `from` of them are. */
  watchRuns(listener: RunsListener): () => void;
  watchEvents(key: string, from: number, listener: EventsListener): () => void;
  /** Null where it was taken. Never rejects. */
  decide(key: string, decision: Decision): Promise<Objection | null>;
}
