/** What the parts of one case share while it is played. Types, and how one begins. */
import type { Outcome, Run } from '../../src/index.ts';
import { type PlannedEvent, planned } from './events.ts';
import type { Ending } from './facts.ts';
import type { Case } from './format.ts';
import { type KeptTrace, keepTrace } from './kept-trace.ts';
import type { Source } from './model.ts';
import { callIdsOf } from './replies.ts';
import type { Seen } from './seen.ts';
import type { Life } from './tools.ts';

/** One process of the case. A crash, or a restore in its place, ends its life: nothing of it is seen any more. */
export interface Process extends Life {
  readonly number: number;
  /** Null where nobody holds the run. */
  run: Run | null;
  /** Once it has one. */
  outcome: Outcome | null;
  /** An exception in place of an outcome. */
  thrown: string | null;
  /** Settles when there is something to look at: an end, a pause, or that it is dead. */
  rest: Promise<void>;
  readonly wake: () => void;
  /** Waits for the next rest. */
  readonly renew: () => void;
}

export interface Session {
  readonly one: Case;
  readonly seen: Seen;
  readonly source: Source;
  /** Events that have not happened yet. */
  readonly queue: PlannedEvent[];
  readonly callIds: ReadonlyMap<string, string>;
  readonly controller: AbortController;
  readonly inspector: boolean;
  readonly schemaFrom: string | null;
  readonly keptTrace: KeptTrace | null;
  process: Process | null;
  /** The newest snapshot and the first, as JSON text. */
  kept: string | null;
  firstKept: string | null;
  first: Ending | null;
  /** The run was refused before it began, or could not go on. */
  refused: Ending | null;
  thrown: string | null;
  /** Performs the events that come next and belong to this moment. */
  arrive: (is: (event: PlannedEvent) => boolean) => void;
}

export interface How {
  readonly inspector: boolean;
  readonly schemaFrom: string | null;
}

export function createSession(one: Case, seen: Seen, source: Source, { inspector, schemaFrom }: How): Session {
  return {
    one,
    seen,
    source,
    queue: (one.given.events ?? []).map(planned),
    callIds: callIdsOf(one),
    controller: new AbortController(),
    inspector,
    schemaFrom,
    keptTrace: keepTrace(one),
    process: null,
    kept: null,
    firstKept: null,
    first: null,
    refused: null,
    thrown: null,
    arrive: () => {},
  };
}
