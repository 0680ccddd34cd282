/**
 * What runs tell, taken in outside their turn: an observer only appends to a queue. Where more is queued than a run of usual
 * size tells in one turn, it is taken in at once, so that the queue is bounded.
 */
import type { LiveEvent } from '../../core/trace.ts';

export interface Intake {
  /** `take` is called with it later. */
  push(take: (event: LiveEvent) => void, event: LiveEvent): void;
  close(): void;
}

const mostQueued = 2_000;

/** `keepsProcess`: whether the process stays until what is queued is taken in. */
export function createIntake({ keepsProcess }: { readonly keepsProcess: boolean }): Intake {
  let queue: { readonly take: (event: LiveEvent) => void; readonly event: LiveEvent }[] = [];
  let due: NodeJS.Immediate | null = null;
  let isOpen = true;

  const drain = () => {
    const taken = queue;
    queue = [];
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
      queue.push({ take, event });
      if (queue.length >= mostQueued) return drain();
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
