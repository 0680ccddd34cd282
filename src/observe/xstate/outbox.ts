/**
 * Messages on their way to one receiver: bounded, in order, sent when somebody listens. Whoever pushes never waits and never
 * hears of a fault. Nothing here keeps the process alive, but for `close` while it is waited for.
 */
import { createLink, type LinkOptions } from './link.ts';
import { createQueue } from './queue.ts';

export interface OutboxOptions extends Pick<LinkOptions, 'connect'> {
  /** What a receiver must hear before what is waiting; `isFirst` on the first connection. */
  readonly greeting: (isFirst: boolean) => readonly string[];
  readonly maxMessages: number;
}

export interface Outbox {
  push(text: string): void;
  readonly dropped: number;
  /** Resolves when all was handed over, or after `graceMs`, or at once where nobody listens. Never rejects. */
  close(graceMs: number): Promise<void>;
}

/** Code units that wait here, and bytes that wait in the socket of a receiver that does not read. */
const mostWaiting = 4_000_000;
const pollMs = 20;

export function createOutbox({ connect, greeting, maxMessages }: OutboxOptions): Outbox {
  const waiting = createQueue(maxMessages, mostWaiting);
  let isFirst = true;
  let lost = 0;
  let poll: NodeJS.Timeout | null = null;

  const link = createLink({
    connect,
    isWanted: () => waiting.length > 0,
    opened: () => {
      const texts = greeting(isFirst);
      isFirst = false;
      if (texts.every(link.send)) drain();
    },
  });

  const drain = () => {
    while (link.state === 'open' && waiting.length > 0) {
      if (link.buffered() > mostWaiting) return drainLater();
      if (!link.send(waiting.take() ?? '')) lost++;
    }
  };
  const drainLater = () => {
    poll ??= setTimeout(() => {
      poll = null;
      drain();
    }, pollMs).unref();
  };

  const isUnderWay = () =>
    link.state === 'opening' || (link.state === 'open' && (waiting.length > 0 || link.buffered() > 0));

  return {
    push(text) {
      if (link.state === 'closed') return;
      waiting.push(text);
      link.want();
      drain();
    },
    get dropped() {
      return waiting.dropped + lost;
    },
    async close(graceMs) {
      const untilMs = performance.now() + graceMs;
      while (isUnderWay() && performance.now() < untilMs) {
        drain();
        await new Promise((settle) => setTimeout(settle, pollMs));
      }
      if (poll !== null) clearTimeout(poll);
      waiting.clear();
      link.close();
    },
  };
}
