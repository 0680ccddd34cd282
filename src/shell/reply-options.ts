/** What reading one reply is made from. Types only. */
import type { Clock } from '../core/clock.ts';
import type { ReactEvent } from '../core/events.ts';
import type { Timeouts } from '../core/limits.ts';
import type { Model, ModelEvent, ModelRequest } from '../core/model.ts';
import type { Scanner } from '../protocol/dialect.ts';

export interface ReplyOptions {
  readonly model: Model;
  readonly request: Omit<ModelRequest, 'signal'>;
  readonly promptTokens: number;
  /** The most tokens that are read, by our own count; above it the reply is left. */
  readonly mostTokens: number;
  readonly scanner: Scanner;
  /** What the model is told of a reply that was cut. */
  readonly cutHint: (violation: CutShort) => string;
  /** How much of a reply that was cut is written back. */
  readonly cutText: (text: string) => string;
  readonly timeouts: Timeouts;
  readonly clock: Clock;
  /** Running time. */
  readonly nowMs: () => number;
  readonly giveWay: () => boolean;
  readonly send: (event: ReactEvent) => void;
  readonly onDelta: (text: string) => void;
  /** The model passed the request on. */
  readonly onModel: (named: Extract<ModelEvent, { type: 'model' }>) => void;
  /** Behind a failure: until another try may be made, in milliseconds. */
  readonly backOffMs: () => number;
}

export type CutShort = 'truncated' | 'too_long';
