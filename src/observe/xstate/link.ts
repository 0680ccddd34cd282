/** A connection that is made again where it was lost, each time after a longer pause. Nothing here keeps the process alive. */

/** What is used of a WebSocket, be it that of a browser, of ws, of undici or of Node 22. */
export interface WebSocketLike {
  readonly bufferedAmount: number;
  onopen: ((event: never) => unknown) | null;
  onclose: ((event: never) => unknown) | null;
  onerror: ((event: never) => unknown) | null;
  send(text: string): void;
  close(): void;
}

export interface LinkOptions {
  /** Opens a socket; may throw, which counts as nobody listening. */
  readonly connect: () => WebSocketLike;
  readonly opened: () => void;
  /** Whether there is reason to try again. */
  readonly isWanted: () => boolean;
}

export interface Link {
  readonly state: 'open' | 'opening' | 'lost' | 'closed';
  /** Bytes that were sent and not yet handed over; 0 where it is not open. */
  buffered(): number;
  /** Connects, where that is not done or about to be. */
  want(): void;
  /** Says whether it was sent. */
  send(text: string): boolean;
  close(): void;
}

const firstPauseMs = 250;
const longestPauseMs = 30_000;

export function createLink({ connect, opened, isWanted }: LinkOptions): Link {
  let socket: WebSocketLike | null = null;
  let state: Link['state'] = 'lost';
  let pauseMs = firstPauseMs;
  let pause: NodeJS.Timeout | null = null;

  const lose = (lost: WebSocketLike | null) => {
    if (lost !== socket || state === 'closed') return;
    socket = null;
    state = 'lost';
    if (lost !== null) letGo(lost);
    const again = () => {
      pause = null;
      if (isWanted()) dial();
    };
    pause = setTimeout(again, pauseMs * (0.5 + Math.random())).unref();
    pauseMs = Math.min(longestPauseMs, pauseMs * 2);
  };

  const dial = () => {
    try {
      const dialled = connect();
      socket = dialled;
      state = 'opening';
      dialled.onerror = () => {}; // `close` follows
      dialled.onclose = () => lose(dialled);
      dialled.onopen = () => {
        if (dialled !== socket) return;
        state = 'open';
        pauseMs = firstPauseMs;
        opened();
      };
    } catch {
      lose(null);
    }
  };

  return {
    get state() {
      return state;
    },
    buffered: () => (state === 'open' ? (socket?.bufferedAmount ?? 0) : 0),
    want() {
      if (state === 'lost' && pause === null) dial();
    },
    send(text) {
      if (socket === null) return false;
      if (sent(socket, text)) return true;
      lose(socket);
      return false;
    },
    close() {
      state = 'closed';
      if (pause !== null) clearTimeout(pause);
      if (socket !== null) letGo(socket);
      socket = null;
    },
  };
}

function sent(socket: WebSocketLike, text: string): boolean {
  try {
    socket.send(text);
    return true;
  } catch {
    return false;
  }
}

function letGo(socket: WebSocketLike): void {
  try {
    socket.close();
  } catch {
    // it was never open
  }
}
