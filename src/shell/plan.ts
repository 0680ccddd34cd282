/** All that one run is made from; the agent puts it together. Types only. */
import type { Clock } from '../core/clock.ts';
import type { LooksLikeError } from '../core/doubt.ts';
import type { Language } from '../core/language.ts';
import type { Sizes, Timeouts } from '../core/limits.ts';
import type { Message, Model, ToolDescription } from '../core/model.ts';
import type { Policy } from '../core/policy.ts';
import type { RunLimits } from '../core/snapshot.ts';
import type { Observer } from '../core/trace.ts';
import type { Within } from '../core/within.ts';
import type { Messages } from '../dispatch/messages.ts';
import type { CheckResult } from '../dispatch/result.ts';
import type { Toolbox } from '../dispatch/toolbox.ts';
import type { Dialect, Scanner } from '../protocol/dialect.ts';
import type { Port } from '../step.ts';
import type { OpenJournal } from './run-journal.ts';

export interface RunPlan {
  readonly port: Port;
  readonly model: Model;
  readonly dialect: Dialect;
  /** All that were ever tools of this run, in order. */
  readonly registered: readonly string[];
  /** Reads one reply. */
  readonly createReader: () => Scanner;
  /** The tools as they go with a request; null where they stand in the system message. */
  readonly requestTools: readonly ToolDescription[] | null;
  readonly language: Language;
  readonly toolbox: Toolbox;
  readonly messages: Messages;
  readonly policy: Policy | null;
  readonly limits: RunLimits;
  readonly timeouts: Timeouts;
  readonly sizes: Sizes;
  readonly temperature: number;
  /** Tools that must have succeeded before the run may end. */
  readonly requireTools: readonly string[];
  readonly checkResult: CheckResult | null;
  readonly looksLikeError: LooksLikeError | null;
  readonly cutHint: (violation: 'truncated' | 'too_long') => string;
  readonly observers: readonly Observer[];
  readonly clock: Clock;
  readonly within: Within;
  /** Where the run is stored; null where it is not. */
  readonly openJournal: OpenJournal | null;

  readonly runId: string;
  readonly task: string;
  /** The system message, what was said before, and the task. */
  readonly opening: readonly Message[];
  /** Handed to the tools as it is. */
  readonly context: unknown;
  readonly signal: AbortSignal | null;
  /** Whether somebody holds the run, and may read its events. */
  readonly held: boolean;
  /** Whether somebody decides about calls; without, a call that asks suspends the run. */
  readonly attended: boolean;
}
