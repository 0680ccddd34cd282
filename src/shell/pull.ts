/**
 * Pulls a foreign stream: one value at a time, with a clock read at every value, and giving way to the event loop now and
 * then (a stream that always has a value ready would otherwise starve every timer). Beside `within.ts` the only place
 * where a foreign promise is waited for.
 */
import type { Clock } from '../core/clock.ts';
import { armTimer } from './timer.ts';
import { unheeded } from './within.ts';

export interface PullOptions<Value> {
  readonly open: () => AsyncIterable<Value>;
  readonly clock: Clock;
  readonly firstMs: number;
  /** The shortest time that any of these can be: how often a deadline that moved nearer is looked at. */
  readonly shortestMs: number;
  readonly totalMs: number;
  /** Asked at every value: is it time to let others run? */
  readonly giveWay: () => boolean;
  /** Gives how long may pass until the next. */
  readonly onValue: (value: Value) => number;
  /** The stream ended by itself. */
  readonly onEnd: () => void;
  readonly onThrown: (thrown: unknown) => void;
  /** Nothing came for too long, or all of it took too long. */
  readonly onLate: () => void;
}

/** Returns what stops it: nothing is reported after that, the stream is told, and no timer is left. */
export function pullStream<Value>(options: PullOptions<Value>): () => void {
  const { clock } = options;
  const startMs = clock.monotonicMs();
  let quietUntilMs = startMs + options.firstMs;
  let pulling = true;
  let cancelTurn = () => {};
  let iterator: AsyncIterator<Value> | null = null;

  const untilMs = () => Math.min(quietUntilMs, startMs + options.totalMs);
  const disarm = armTimer(clock, clock.monotonicMs, untilMs, options.onLate, Math.max(1, options.shortestMs));

  const taken = (result: IteratorResult<Value>) => {
    if (!pulling) return;
    const nowMs = clock.monotonicMs();
    if (nowMs >= untilMs()) return options.onLate();
    if (result.done === true) return options.onEnd();
    quietUntilMs = nowMs + options.onValue(result.value);
    if (!pulling) return;
    if (options.giveWay()) cancelTurn = clock.setTimer(0, pull);
    else pull();
  };
  const thrown = (error: unknown) => {
    if (pulling) options.onThrown(error);
  };
  const pull = () => {
    try {
      iterator ??= options.open()[Symbol.asyncIterator]();
      Promise.resolve(iterator.next()).then(taken).catch(thrown);
    } catch (error) {
      thrown(error);
    }
  };
  pull();

  return () => {
    if (!pulling) return;
    pulling = false;
    disarm();
    cancelTurn();
    // How long the stream takes over its own cleaning up is its matter: it is not waited for.
    unheeded(() => iterator?.return?.());
  };
}
