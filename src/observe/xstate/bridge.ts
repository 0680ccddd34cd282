/**
 * Runs for the inspector of XState 4: what `inspect({ server })` of @xstate/inspect 0.8 is to its receivers, for machines of
 * version 5. Receivers connect to us. What they send drives nothing; who wants to hear it says so.
 */
import type { InspectionEvent } from 'xstate';
import { AgentError } from '../../core/errors.ts';
import type { JsonValue } from '../../core/json.ts';
import { checkKnown } from '../../core/known-options.ts';
import type { Observer } from '../../core/trace.ts';
import { eventMessageFour, registerMessage, stateMessage, stopMessage } from './bridge-messages.ts';
import { type Defined, idOf, isDefined, memberOf } from './definition.ts';
import { definitionFour } from './definition-four.ts';
import { runEventIn } from './from-actor.ts';
import { createPeers, type PeerServer } from './peers.ts';
import { createSessions } from './sessions.ts';
import { eventOf } from './stately-messages.ts';
import { loadWs, type Served, serveSockets } from './ws.ts';

export interface BridgeOptions {
  /** Default 8888; 0 for any that is free, which `ready` then tells. */
  readonly port?: number;
  /** Default `127.0.0.1`: of this machine only. */
  readonly host?: string;
  /** A `WebSocketServer` of ws, of your own, in place of `port` and `host`. Who may connect is then yours to say. */
  readonly server?: PeerServer;
  /** Pages of other machines that may connect, such as `https://stately.ai`. Pages of this machine may. */
  readonly origins?: readonly string[];
  /** What the runs are runs of, such as `agent.logic`. Default the machine that ships. */
  readonly machine?: Defined;
  /**
   * An event that somebody sent from an inspector, as it came. It drives nothing: `sessionId` is the id of the run, so that you
   * may approve, deny or abort it. What it throws is heard by nobody.
   */
  readonly onReceived?: (event: JsonValue, to: { readonly sessionId: string | null }) => unknown;
}

export interface XStateInspectBridge {
  /** For `createAgent({ onEvent })`. Never throws. */
  readonly onEvent: Observer;
  /** In place of it, for `createActor(agent.logic, { inspect })`. It shows agents, and no other actors. Never throws. */
  readonly inspect: (event: InspectionEvent) => void;
  /**
   * When it listens; `server` is what `createWebSocketReceiver({ server })` takes, null for a server of yours. Rejects with
   * AgentError where the port cannot be had: runs go on, and nobody sees them.
   */
  readonly ready: Promise<{ readonly server: string | null }>;
  /** Receivers that are told. */
  readonly receivers: number;
  /** Messages that a receiver missed because it did not read, or that could not be made. */
  readonly dropped: number;
  /** Lets all receivers go. A server of yours stays open. Never rejects. */
  close(): Promise<void>;
}

/** Throws AgentError (`invalid_option`) for an option that cannot be used, and where ws is needed and missing. */
export function createBridge(options: BridgeOptions, shipped: Defined): XStateInspectBridge {
  const { machine = shipped, onReceived } = checked(options);
  const served = options.server === undefined ? serve(options) : null;
  const server = options.server ?? served?.server;
  if (server === undefined) throw wrong('there is no server.', 'Leave server out, or give a WebSocketServer of ws.');
  let failed = 0;
  const safely = (work: () => void) => {
    try {
      work();
    } catch {
      failed++;
    }
  };
  const definition = definitionFour(machine);
  const name = idOf(machine.config);

  const peers = createPeers(server, {
    asks: (message) => asksToInspect(message, onReceived),
    greeting: () => runs.open().map((session) => registerMessage(session, definition, name)),
  });
  const runs = createSessions({
    opened: (session) => peers.tell(registerMessage(session, definition, name)),
    moved: (session, states) => {
      if (peers.count === 0) return; // nothing is made where nobody looks
      const event = eventOf(session);
      peers.tell(eventMessageFour(session, event));
      for (const state of states) peers.tell(stateMessage(session, state, event));
    },
    closed: (session) => peers.tell(stopMessage(session)),
  });

  return {
    onEvent: (event, { runId }) => safely(() => runs.happened(event, runId)),
    inspect: (event) =>
      safely(() => {
        const ofRun = runEventIn(event);
        if (ofRun !== null) runs.happened(ofRun, event.actorRef.sessionId, event.rootId);
      }),
    ready: addressOf(served, options),
    get receivers() {
      return peers.count;
    },
    get dropped() {
      return failed + peers.dropped;
    },
    close: async () => {
      peers.close();
      await served?.close();
    },
  };
}

const defaultPort = 8888;
const defaultHost = '127.0.0.1';

function serve({ port = defaultPort, host = defaultHost, origins = [] }: BridgeOptions): Served {
  const ws = loadWs('xstateInspectBridge', 'Or pass a server of your own.');
  return serveSockets(ws, { port, host, allows: (origin) => origin === null || isAllowed(origin, origins) });
}

/** Any page in any browser may try to connect to this machine; those of other machines see no run unless they are named. */
function isAllowed(origin: string, origins: readonly string[]): boolean {
  if (origins.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const { hostname, protocol } = new URL(origin);
  return protocol.startsWith('http') && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function addressOf(served: Served | null, { host = defaultHost }: BridgeOptions): XStateInspectBridge['ready'] {
  if (served === null) return Promise.resolve({ server: null });
  const ready = served.ready.then((port) => ({ server: `${host.includes(':') ? `[${host}]` : host}:${port}` }));
  ready.catch(() => {}); // who does not wait for it does without
  return ready;
}

/** Reads a message of a receiver; anything that is not one says nothing. */
function asksToInspect(message: string, onReceived: BridgeOptions['onReceived']): boolean {
  const read = parsed(message);
  const type = memberOf(read, 'type');
  if (type === 'xstate.event' && onReceived !== undefined) handOver(read, onReceived);
  return type === 'xstate.inspecting';
}

/** The event is JSON in JSON, and its `origin` is the session that it is for. */
function handOver(message: JsonValue, onReceived: NonNullable<BridgeOptions['onReceived']>): void {
  const text = memberOf(message, 'event');
  const event = typeof text === 'string' ? parsed(text) : null;
  if (event === null) return;
  const origin = memberOf(event, 'origin');
  const call = async () => {
    await onReceived(event, { sessionId: typeof origin === 'string' ? origin : null });
  };
  call().catch(() => {});
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const known = ['port', 'host', 'server', 'origins', 'machine', 'onReceived'];

function checked(options: BridgeOptions): BridgeOptions {
  checkKnown('xstateInspectBridge', options, known);
  const { port = defaultPort, host = defaultHost, server, origins = [], machine, onReceived } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw wrong(`port is ${String(port)}.`, 'It is a whole number from 0, for any that is free, to 65535.');
  if (typeof host !== 'string' || host === '') throw wrong('host is no name.', 'Such as 127.0.0.1.');
  if (server !== undefined && typeof Reflect.get(Object(server), 'on') !== 'function')
    throw wrong('server is no server.', 'It is a WebSocketServer of the package ws.');
  if (!Array.isArray(origins)) throw wrong('origins is no list.', "Such as ['https://stately.ai'].");
  if (machine !== undefined && !isDefined(machine))
    throw wrong('machine is no machine.', 'Pass agent.logic, or what createReactMachine() of fuseloop/machine gives.');
  if (onReceived !== undefined && typeof onReceived !== 'function')
    throw wrong('onReceived is not a function.', 'It takes an event, and the session that it is for.');
  return options;
}

function wrong(message: string, hint: string): AgentError {
  return new AgentError('invalid_option', `xstateInspectBridge: ${message}`, { hint });
}
