/**
 * The tries of one call. A try that failed is followed by another where the tool says how often, and while the run has
 * time. Whether a call may be made twice at all is decided when the tool is compiled: `retries` is 0 where it may not.
 */
import { fractionOf } from '../core/fingerprint.ts';
import type { CallTime } from './call-time.ts';
import type { Read } from './last-value.ts';
import { inItsPlace } from './rate-limit.ts';
import { isToolError } from './thrown.ts';
import type { CompiledTool } from './toolbox.ts';

/** Of the waits between tries: the first, and the longest. In milliseconds. */
const backOffMs = { first: 250, longest: 5_000 } as const;

export interface Tries {
  readonly tool: Pick<CompiledTool, 'retries' | 'window'>;
  /** Of the call: the same key waits the same. */
  readonly idempotencyKey: string;
  readonly time: CallTime;
  /** Until the first try may begin, in milliseconds. */
  readonly firstMs: number;
  /** Makes a try, counted from 1. Returns what cancels it. */
  readonly start: (attempt: number, settle: (read: Read) => void) => () => void;
  /** Told of a try that failed and is followed by another in so many milliseconds. */
  readonly again: (read: Failed, attempt: number, waitMs: number) => void;
}

type Failed = Extract<Read, { kind: 'thrown' | 'late' }>;

/** Gives `settle` what the last try gave, and its number. Returns what cancels it: no try, and no wait, is left. */
export function inTries(tries: Tries, settle: (read: Read, attempt: number) => void): () => void {
  let isOpen = true;
  let cancelTry = () => {};
  let cancelWait = () => {};
  const next = (attempt: number) => {
    cancelTry = tries.start(attempt, (read) => {
      if (!isOpen) return;
      const waitMs = mayTryAgain(read) && attempt <= tries.tool.retries ? waitBehind(attempt, tries) : null;
      if (!mayTryAgain(read) || waitMs === null) return settle(read, attempt);
      // A try is a start for the tool's window.
      cancelWait = inItsPlace(tries.tool.window, waitMs, tries.time, () => next(attempt + 1));
      tries.again(read, attempt, waitMs);
    });
    if (!isOpen) cancelTry(); // the tool itself ended the run
  };
  const cancelFirst = inItsPlace(tries.tool.window, tries.firstMs, tries.time, () => next(1));
  return () => {
    isOpen = false;
    cancelFirst();
    cancelWait();
    cancelTry();
  };
}

/** A tool that throws ToolError says that the input is wrong: it would be as wrong the next time. */
function mayTryAgain(read: Read): read is Failed {
  return read.kind === 'late' || (read.kind === 'thrown' && !isToolError(read.thrown));
}

/** Twice as long each time, less up to a half that follows from the key, and until the tool's window has room. Null: it is too late. */
function waitBehind(attempt: number, { tool, idempotencyKey, time }: Tries): number | null {
  const fullMs = Math.min(backOffMs.first * 2 ** (attempt - 1), backOffMs.longest);
  const share = fractionOf(`${idempotencyKey} ${attempt}`);
  const waitMs = Math.max(Math.round(fullMs * (1 - share / 2)), tool.window?.waitMs(time.nowMs()) ?? 0);
  return waitMs < time.leftMs() ? Math.ceil(waitMs) : null;
}
