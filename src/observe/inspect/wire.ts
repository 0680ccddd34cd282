/**
 * What the inspector's server and its page say to each other: HTTP on 127.0.0.1, every request with `?token=`. Types only.
 *
 * | request | answer |
 * | --- | --- |
 * | `GET /` | the page |
 * | `GET /runs` | server-sent events without end: `runs` with a list of `RunSummary`: all at first, then those that changed; `gone` with a list of keys |
 * | `GET /runs/KEY/events` | server-sent events: `events` with a list of `LiveEvent`; its id counts the events of the trace sent so far, and `Last-Event-ID` goes on behind it. `end` behind the last of a run that is over |
 * | `POST /runs/KEY/decisions` | a `Decision` as JSON. 204; or 4xx with a `Refusal` as JSON |
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

export type Decision =
  | { readonly kind: 'approve'; readonly callId: string; readonly input?: JsonValue }
  | { readonly kind: 'deny'; readonly callId: string; readonly why: string }
  | { readonly kind: 'abort' };

export interface Refusal {
  readonly message: string;
  readonly hint: string;
}

/** In the page that `--html` writes: the element `<script type="application/json" id="fuseloop-runs">` holds a list of these. */
export interface EmbeddedRun {
  readonly summary: RunSummary;
  readonly events: readonly unknown[];
}
