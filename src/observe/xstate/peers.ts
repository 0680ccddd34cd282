/**
 * Receivers that have connected to us: each hears what is told from then on. One that does not read misses messages, which are
 * counted, and is told anew what is there when it reads again.
 */

/** What is used of a connection, as ws gives it to a server. */
export interface PeerSocket {
  readonly bufferedAmount: number;
  on(event: 'message', listener: (data: { toString(): string }, isBinary: boolean) => void): unknown;
  on(event: 'close' | 'error', listener: () => void): unknown;
  send(text: string): void;
  close(): void;
}

/** What is used of a `WebSocketServer` of ws. */
export interface PeerServer {
  on(event: 'connection', listener: (socket: PeerSocket) => void): unknown;
}

export interface Peers {
  tell(text: string): void;
  readonly dropped: number;
  /** Receivers that have asked to be told. */
  readonly count: number;
  close(): void;
}

export interface PeersOptions {
  /** Whether the message asks to be told of what happens; anything else is left to the handler itself. */
  readonly asks: (message: string) => boolean;
  /** What a receiver must hear before anything else. */
  readonly greeting: () => readonly string[];
}

/** Bytes that wait in the socket of a receiver that does not read. */
const mostWaiting = 4_000_000;

interface Peer {
  readonly socket: PeerSocket;
  /** It missed something. */
  isBehind: boolean;
}

export function createPeers(server: PeerServer, { asks, greeting }: PeersOptions): Peers {
  const peers = new Set<Peer>();
  let dropped = 0;

  const send = (peer: Peer, text: string): void => {
    try {
      if (peer.socket.bufferedAmount > mostWaiting) {
        peer.isBehind = true;
        dropped++;
      } else peer.socket.send(text);
    } catch {
      peers.delete(peer);
    }
  };
  const greet = (peer: Peer) => {
    peer.isBehind = false;
    for (const text of greeting()) send(peer, text);
  };

  server.on('connection', (socket) => {
    const peer: Peer = { socket, isBehind: false };
    const leave = () => peers.delete(peer);
    socket.on('close', leave);
    socket.on('error', leave);
    socket.on('message', (data, isBinary) => {
      if (isBinary || !asks(data.toString())) return;
      if (peers.has(peer) && !peer.isBehind) return; // asking again and again makes no work
      peers.add(peer);
      greet(peer);
    });
  });

  return {
    tell(text) {
      for (const peer of peers) {
        if (peer.isBehind && peer.socket.bufferedAmount < mostWaiting / 2) greet(peer);
        send(peer, text);
      }
    },
    get dropped() {
      return dropped;
    },
    get count() {
      return peers.size;
    },
    close() {
      for (const { socket } of peers) socket.close();
      peers.clear();
    },
  };
}
