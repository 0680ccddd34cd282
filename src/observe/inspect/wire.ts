/**
 * What the inspector's server and its page say to each other: HTTP on 127.0.0.1, every request with `?token=`. Types only.
 *
 * | request | answer |
 * | --- | --- |
 * | `GET /` | the page |
 * | `GET /runs` | server-sent events without end: `runs` with a list of `RunSummary`: each time it is opened, and so also when it comes back, first all of them (in several lists where they are many), then those that changed; `gone` with a list of keys |
 * | `GET /runs/KEY/events` | server-sent events: `events` with a list of `LiveEvent`; its id counts the events of the trace sent so far, and `Last-Event-ID`, or `&from=N` in the address, goes on behind it. `reply` with a `ReplySoFar` at most once, where one is arriving when the stream is opened. `end` behind the last of a run that is over: the page closes the stream, and opens it again with `from` should the summary say that the run is live again |
 * | `POST /runs/KEY/decisions` | a `Decision` as JSON, `content-type: application/json`. 204; or 4xx with a `Refusal` as JSON |
 *
 * 403 where token, `Host` or `Origin` is not ours; 404 where there is no such run (any more); 503 where too many streams are open.
 */
import type { JsonValue } from '../../core/json.ts';
import type { RunView } from '../run-view.ts';

/** A run in the list. */
export interface RunSummary {
  /** Of this run in this inspector: two files may tell of the same run. Letters, digits, `-` and `_`. */
  readonly key: string;
  readonly runId: string;
  readonly task: string | null;
  readonly model: string | null;
  readonly phase: RunView['phase'];
  readonly stopReason: string | null;
  readonly steps: number;
  readonly tokens: number;
  readonly violations: number;
  /** Events that the inspector was told and did not keep: the run is too large, or all that are live together. 0 nearly always. */
  readonly lost: number;
  /** Events that the inspector was not told, or of a beginning that it has forgotten: the numbers here are without them. */
  readonly missing: number;
  readonly startedWallMs: number | null;
  readonly lastWallMs: number;
  /** Running time. */
  readonly atMs: number;
  /** Events may still come. */
  readonly isLive: boolean;
  /** Waiting calls may be decided about, and the run aborted, from the page. */
  readonly isDecidable: boolean;
  /** The file it was read from; null where the program itself shows it. */
  readonly file: string | null;
}

/** The reply that is arriving, up to now: it takes the place of the pieces that were seen; those that follow go behind it. */
export interface ReplySoFar {
  readonly step: number;
  readonly text: string;
}

export type Decision =
  | { readonly kind: 'approve'; readonly callId: string; readonly input?: JsonValue }
  | { readonly kind: 'deny'; readonly callId: string; readonly why: string }
  | { readonly kind: 'abort' };

/** In English; `code` is for a page that speaks another language. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly hint: string;
}

export type RefusalCode =
  // Of a decision.
  | 'not_awaiting' // the call does not wait, or not any more
  | 'run_over'
  | 'looking_only' // the program lets nobody decide from the page
  | 'not_seen' // the page does not have all of the call
  | 'redacted' // the edited input holds the mark of a secret
  | 'unusable' // the run cannot use it
  | 'no_decision' // it has not the shape of one
  | 'too_long'
  // Of any request.
  | 'forbidden' // token, `Host` or `Origin` is not ours
  | 'not_found'
  | 'run_gone'
  | 'wrong_method'
  | 'wrong_type'
  | 'wrong_place' // there are not so many events
  | 'too_many_pages'
  | 'defect'; // of the inspector itself

/** In the page that `--html` writes: the element `<script type="application/json" id="fuseloop-runs">` holds a list of these. */
export interface EmbeddedRun {
  readonly summary: RunSummary;
  readonly events: readonly unknown[];
}
