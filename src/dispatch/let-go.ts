/**
 * What a result holds and nobody reads (promises, streams, bodies of responses) is let go: a rejection is handled, an error of
 * a stream is heard, and nothing stays open.
 */
import { isStream } from '../core/described-value.ts';
import type { Within } from '../core/within.ts';

/**
 * For an object so many levels inside a result. Streams are closed where `isOver`, and only in the result itself or one level
 * inside: what is deeper may belong to somebody else. Total.
 */
export function letGo(value: unknown, level: number, within: Within, isOver: boolean): void {
  const quiet = () => {
    if (value instanceof Promise || typeof value !== 'object' || value === null) return value;
    return level > 1 ? null : leave(isStream(value) ? value : Reflect.get(value, 'body'), isOver);
  };
  within<unknown>(0, quiet, ignore)();
}

function leave(stream: unknown, isOver: boolean): unknown {
  if (typeof stream !== 'object' || stream === null || !isStream(stream)) return null;
  const call = (name: string, ...given: unknown[]): unknown => {
    const method: unknown = Reflect.get(stream, name);
    return typeof method === 'function' ? Reflect.apply(method, stream, given) : null;
  };
  call('on', 'error', ignore);
  if (!isOver) return null;
  if ('read' in stream) call('destroy'); // of Node, and can be read
  return call('cancel'); // of the web
}

function ignore(): void {}
