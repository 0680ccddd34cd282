/**
 * One request and its reply as the events of a model: what every adapter over HTTP shares. It heeds the signal, `return()`
 * and the time limits, and turns whatever is thrown into one `failed`.
 */
import type { ModelEvent, ModelFailed, ModelRequest } from '../../core/model.ts';
import { leavable } from '../common/leave.ts';
import type { Failures } from './failures.ts';
import type { HttpReply } from './send.ts';
import { type HttpTimeouts, startTimeLimits } from './time-limits.ts';

export interface ReadOptions {
  readonly failures: Failures;
  /** What to say when the bytes stop with an error: aborted, out of time, or broken off. */
  readonly onBreak: (thrown: unknown) => ModelFailed;
  /** Breaks the connection off. */
  readonly leave: () => void;
}

export interface Exchange {
  readonly failures: Failures;
  readonly timeouts: HttpTimeouts;
  /** The head of a reply with a status of 2xx, or what the server said instead. May throw, as it does after an abort. */
  ask(signal: AbortSignal): Promise<HttpReply | ModelFailed>;
  /** Yields any number of pieces, then one `end` or `failed`; it throws nothing. */
  read(reply: HttpReply, options: ReadOptions): AsyncIterable<ModelEvent>;
}

export function exchange(request: ModelRequest, plan: Exchange): AsyncIterableIterator<ModelEvent> {
  const left = new AbortController();
  return leavable(eventsOf(request.signal, plan, left), () => left.abort());
}

async function* eventsOf(signal: AbortSignal, plan: Exchange, left: AbortController): AsyncGenerator<ModelEvent> {
  const { failures } = plan;
  const leave = () => left.abort();
  signal.addEventListener('abort', leave);
  if (signal.aborted) leave();
  const limits = startTimeLimits(plan.timeouts, leave);
  const stopped = (otherwise: (thrown: unknown) => ModelFailed) => (thrown: unknown) => {
    const passed = limits.passed();
    if (passed !== null) return failures.timeout(passed.name, passed.limitMs);
    return left.signal.aborted ? failures.aborted() : otherwise(thrown);
  };
  try {
    const reply = await plan.ask(left.signal);
    if ('failure' in reply) return yield reply;
    for await (const event of plan.read(reply, { failures, onBreak: stopped(failures.brokeOff), leave })) {
      limits.heard(event);
      yield event;
      limits.waiting();
    }
  } catch (thrown) {
    yield stopped(failures.connection)(thrown);
  } finally {
    limits.stop();
    // A reply that was not read to its end holds its connection, whatever is in between; after the end nothing happens.
    leave();
    signal.removeEventListener('abort', leave);
  }
}
