/**
 * What runs tell, taken in outside their turn: an observer only appends to a queue. Where more is queued than a run of usual size
 * tells in one turn, in events or in bytes, it is taken in at once: so the queue is bounded, and nothing is dropped here. What there
 * is no room for is dropped, counted and told where events are kept (`kept-lines.ts`).
 */
import type { LiveEvent } from '../../core/trace.ts';
import { overhead, sizeOf } from './event-size.ts';

export interface Intake {
  /** `take` is called with it later, or now. */
  push(take: (event: LiveEvent) => void, event: LiveEvent): void;
  close(): void;
}

export interface IntakeOptions {
  /** Whether the process stays until what is queued is taken in. */
  readonly keepsProcess: boolean;
  /** Bytes of memory for what is queued, measured as what is kept. */
  readonly mostBytes: number;
}

const mostQueued = 2_000;

export function createIntake({ keepsProcess, mostBytes }: IntakeOptions): Intake {
  let queue: { readonly take: (event: LiveEvent) => void; readonly event: LiveEvent }[] = [];
  let bytes = 0;
  let due: NodeJS.Immediate | null = null;
  let isOpen = true;

  const drain = () => {
    const taken = queue;
    queue = [];
    bytes = 0;
    for (const { take, event } of taken) takeIn(take, event);
  };
  /** What a program shows may be anything: what is no event is left out. */
  const takeIn = (take: (event: LiveEvent) => void, event: LiveEvent) => {
    try {
      if (isOpen) take(event);
    } catch {}
  };
  const onDue = () => {
    due = null;
    drain();
  };
  return {
    push(take, event) {
      if (!isOpen) return;
      bytes += overhead + sizeOf(event, mostBytes);
      queue.push({ take, event });
      if (queue.length >= mostQueued || bytes > mostBytes) return drain();
      if (due !== null) return;
      due = setImmediate(onDue);
      if (!keepsProcess) due.unref();
    },
    close() {
      isOpen = false;
      queue = [];
      if (due !== null) clearImmediate(due);
    },
  };
}
