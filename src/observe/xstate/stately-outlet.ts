/** Where messages for the Stately inspector go: over a socket, or to a function. Nothing that happens there comes back. */
import type { WebSocketLike } from './link.ts';
import { createOutbox } from './outbox.ts';
import type { StatelyMessage } from './stately-messages.ts';
import { loadWs, openSocket } from './ws.ts';

export interface Outlet {
  tell(message: StatelyMessage): void;
  /** Nothing more comes of this session. */
  forget(sessionId: string): void;
  dropped(): number;
  close(): Promise<void>;
}

const graceMs = 1_000;

/** Throws AgentError where ws is needed and missing. */
export function socketOutlet(
  url: string,
  WebSocket: (new (url: string) => WebSocketLike) | undefined,
  maxMessages: number,
): Outlet {
  const live = liveActors(maxMessages);
  const connect = WebSocket === undefined ? connectWithWs(url) : () => new WebSocket(url);
  const outbox = createOutbox({
    connect,
    // Who connects first is told all from the beginning, unless that was too much.
    greeting: (isFirst) =>
      isFirst && outbox.dropped === 0 ? [] : live.all().map((message) => JSON.stringify(message)),
    maxMessages,
  });
  return {
    tell(message) {
      live.heard(message);
      outbox.push(JSON.stringify(message));
    },
    forget: live.forget,
    dropped: () => outbox.dropped,
    close: () => outbox.close(graceMs),
  };
}

function connectWithWs(url: string): () => WebSocketLike {
  const ws = loadWs('statelyInspect', 'Or pass a WebSocket of your own, or send.');
  return () => openSocket(ws, url);
}

export function functionOutlet(send: (message: StatelyMessage) => unknown): Outlet {
  let dropped = 0;
  let isClosed = false;
  const handOver = async (message: StatelyMessage) => {
    await send(message);
  };
  return {
    tell(message) {
      if (isClosed) return;
      handOver(message).catch(() => {
        dropped++;
      });
    },
    forget: () => {},
    dropped: () => dropped,
    close: async () => {
      isClosed = true;
    },
  };
}

/** The actors that are there, in the state that they were last seen in: what a receiver that connects again must know. */
function liveActors(most: number) {
  const actors = new Map<string, StatelyMessage & { readonly type: '@xstate.actor' }>();
  return {
    heard(message: StatelyMessage) {
      const known = actors.get(message.sessionId);
      if (message.type === '@xstate.actor') actors.set(message.sessionId, message);
      if (message.type === '@xstate.snapshot' && known !== undefined)
        actors.set(message.sessionId, { ...known, snapshot: message.snapshot });
      const [oldest] = actors.keys();
      if (actors.size > most && oldest !== undefined) actors.delete(oldest);
    },
    forget(sessionId: string) {
      actors.delete(sessionId);
    },
    all: () => [...actors.values()],
  };
}
