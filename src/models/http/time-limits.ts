/**
 * How long a reply may take, where the adapter itself is to give up. The loop bounds every reply anyway; these matter where
 * a failure is to come before that, so that another model can be asked.
 */
import { AgentError } from '../../core/errors.ts';
import { readCount } from '../../core/limits.ts';
import type { ModelEvent } from '../../core/model.ts';
import { after } from './timer.ts';

/** Whole milliseconds. */
export interface HttpTimeouts {
  /** Until a connection is there: name server, proxy and TLS included. Default 10,000. */
  readonly connectMs: number;
  /** From asking to the first piece that says something. Default: none; the loop's own limit holds. */
  readonly firstTokenMs: number | null;
  /**
   * Between two pieces that say something: text, reasoning or a call that is not empty. Comments, pings and empty pieces are
   * none, so that they keep no dead reply alive. Default: none; the loop's own limit holds.
   */
  readonly betweenTokensMs: number | null;
  /** From asking to the end. Default: none; the loop's own limit holds. */
  readonly totalMs: number | null;
}

const defaults: HttpTimeouts = Object.freeze({
  connectMs: 10_000,
  firstTokenMs: null,
  betweenTokensMs: null,
  totalMs: null,
});

/** What a user may give: a limit that is left out or undefined has its default. */
export type GivenTimeouts = { readonly [name in keyof HttpTimeouts]?: number | undefined };

export function readHttpTimeouts(given: unknown): HttpTimeouts {
  if (given === undefined) return defaults;
  const known = Object.keys(defaults).join(', ');
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw refuse('timeouts is no object.', `timeouts is an object with any of ${known}.`);
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name, value] of entries) {
    if (!Object.hasOwn(defaults, name)) throw refuse(`timeouts.${name} is not a limit.`, `Known: ${known}.`);
    readCount(`timeouts.${name}`, value);
  }
  return Object.freeze({ ...defaults, ...Object.fromEntries(entries) });
}

function refuse(message: string, hint: string): AgentError {
  return new AgentError('invalid_option', message, { hint });
}

export interface PassedLimit {
  /** The option, such as `timeouts.totalMs`. */
  readonly name: string;
  readonly limitMs: number;
}

export interface TimeLimits {
  /** The limit that ended the reply; null as long as none did. */
  passed(): PassedLimit | null;
  /** A piece came. What the consumer does with it is not waited for: `waiting` goes on. */
  heard(event: ModelEvent): void;
  waiting(): void;
  /** Clears all timers. */
  stop(): void;
}

/** `onPassed` is called once, when the first of the limits is passed. */
export function startTimeLimits(timeouts: HttpTimeouts, onPassed: () => void): TimeLimits {
  let passed: PassedLimit | null = null;
  let spoke = false;
  let piece = () => {};
  const start = (name: Exclude<keyof HttpTimeouts, 'connectMs'>): (() => void) => {
    const limitMs = timeouts[name];
    if (limitMs === null) return () => {};
    return after(limitMs, () => {
      passed ??= { name: `timeouts.${name}`, limitMs };
      onPassed();
    });
  };
  const total = start('totalMs');
  piece = start('firstTokenMs');
  return {
    passed: () => passed,
    heard(event) {
      if (!saysSomething(event)) return;
      piece();
      spoke = true;
      piece = () => {};
    },
    waiting() {
      if (!spoke) return;
      spoke = false;
      piece = start('betweenTokensMs');
    },
    stop() {
      total();
      piece();
    },
  };
}

function saysSomething(event: ModelEvent): boolean {
  if (event.type === 'call') return event.id !== null || event.tool !== '' || event.input !== '';
  return !('text' in event) || event.text !== '';
}
