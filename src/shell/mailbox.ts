/** Hands over one event at a time, also where handling one sends the next. */

export interface Mailbox<Event> {
  send(event: Event): void;
  /** Runs work whose events are handed over when it is done. */
  hold(work: () => void): void;
  /** What is sent after this is not heard of. */
  close(): void;
}

export function createMailbox<Event>(take: (event: Event) => void): Mailbox<Event> {
  const waiting: Event[] = [];
  let open = true;
  let busy = false;

  const hold = (work: () => void) => {
    if (busy) return work(); // whoever holds already hands over
    busy = true;
    try {
      work();
      for (let event = waiting.shift(); event !== undefined && open; event = waiting.shift()) take(event);
    } finally {
      busy = false; // also where taking one throws: the next is heard of all the same
    }
  };
  return {
    hold,
    send(event) {
      if (!open) return;
      if (busy) waiting.push(event);
      else hold(() => take(event));
    },
    close() {
      open = false;
    },
  };
}
