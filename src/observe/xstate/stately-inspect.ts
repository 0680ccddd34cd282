/** Runs, and the actors round them, for the inspector of XState 5: @statelyai/inspect 0.7. */
import type { InspectionEvent } from 'xstate';
import { AgentError } from '../../core/errors.ts';
import { checkKnown } from '../../core/known-options.ts';
import type { Observer } from '../../core/trace.ts';
import { type Defined, definitionOf, idOf, isDefined } from './definition.ts';
import { runEventIn } from './from-actor.ts';
import type { WebSocketLike } from './link.ts';
import { createSessions, type Session, type Sessions } from './sessions.ts';
import { messageOfActor } from './stately-actors.ts';
import {
  actorMessage,
  eventMessage,
  eventOf,
  ofSession,
  type StatelyMessage,
  snapshotMessage,
  snapshotOf,
} from './stately-messages.ts';
import { functionOutlet, type Outlet, socketOutlet } from './stately-outlet.ts';

export interface StatelyOptions {
  /** Of the server of @statelyai/inspect, or of any other that hands messages on. Default `ws://localhost:8080`, its own. */
  readonly url?: string;
  /**
   * Makes the socket. Default that of the package `ws`, which must then be installed; it does not keep the process alive, which
   * one of yours may.
   */
  readonly WebSocket?: new (
    url: string,
  ) => WebSocketLike;
  /** Takes the messages in place of a socket: plain data, as of the moment. What it throws is heard by nobody. */
  readonly send?: (message: StatelyMessage) => unknown;
  /** What runs without an actor are runs of, such as `agent.logic`. Default the machine that ships. */
  readonly machine?: Defined;
  /** Messages that wait while nobody listens; beyond it the oldest are dropped. Default 1,000. */
  readonly maxMessages?: number;
}

export interface StatelyInspect {
  /** For `createActor(agent.logic, { inspect })`, or a machine of yours that invokes it. Never throws. */
  readonly inspect: (event: InspectionEvent) => void;
  /** For `createAgent({ onEvent })`, where runs have no actor. Never throws. */
  readonly onEvent: Observer;
  /** Messages that nobody got: there were too many, or they could not be made. */
  readonly dropped: number;
  /** Hands over what is waiting, for a second at most, and takes nothing more. Never rejects. */
  close(): Promise<void>;
}

/** Throws AgentError (`invalid_option`) for an option that cannot be used, and where ws is needed and missing. */
export function createStatelyInspect(options: StatelyOptions, shipped: Defined): StatelyInspect {
  const outlet = readOutlet(options);
  const runs = sessionsOn(outlet, options.machine ?? shipped);
  const actors = sessionsOn(outlet, null);
  let failed = 0;
  const safely = (work: () => void) => {
    try {
      work();
    } catch {
      failed++;
    }
  };
  return {
    onEvent: (event, { runId }) => safely(() => runs.happened(event, runId)),
    inspect: (event) => safely(() => inspected(event, outlet, actors)),
    get dropped() {
      return failed + outlet.dropped();
    },
    close: () => outlet.close(),
  };
}

/** Sessions of runs as messages. `machine` is null where the run is an actor: XState itself tells that it is there. */
function sessionsOn(outlet: Outlet, machine: Defined | null): Sessions {
  const definition = machine === null ? null : definitionOf(machine);
  const name = machine === null ? 'react' : idOf(machine.config);
  const open = (session: Session) =>
    outlet.tell(
      actorMessage(ofSession(session), {
        name,
        parentId: session.parentId,
        definition: definition ?? JSON.stringify({ id: name }),
        snapshot: snapshotOf(session, session.state),
      }),
    );
  return createSessions({
    opened: (session) => {
      if (definition !== null || session.parentId !== null) open(session);
    },
    moved: (session, states) => {
      const event = eventOf(session);
      outlet.tell(eventMessage(ofSession(session), event, session.parentId));
      for (const state of states) outlet.tell(snapshotMessage(ofSession(session), event, snapshotOf(session, state)));
    },
    closed: ({ id }) => outlet.forget(id),
  });
}

function inspected(event: InspectionEvent, outlet: Outlet, actors: Sessions): void {
  const { sessionId } = event.actorRef;
  const ofRun = runEventIn(event);
  if (ofRun !== null) return actors.happened(ofRun, sessionId, event.rootId);
  // The session has told the states that the event led through.
  if (event.type === '@xstate.snapshot' && event.event.type === 'run.moved') return;
  const message = messageOfActor(event, Date.now());
  if (message !== null) outlet.tell(message);
  if (event.type === '@xstate.snapshot' && event.snapshot.status !== 'active') outlet.forget(sessionId);
}

const known = ['url', 'WebSocket', 'send', 'machine', 'maxMessages'];

function readOutlet(options: StatelyOptions): Outlet {
  checkKnown('statelyInspect', options, known);
  const { url = 'ws://localhost:8080', WebSocket, send, machine, maxMessages = 1_000 } = options;
  if (machine !== undefined && !isDefined(machine))
    throw wrong('machine is no machine.', 'Pass agent.logic, or what createReactMachine() of fuseloop/machine gives.');
  if (!Number.isInteger(maxMessages) || maxMessages < 1)
    throw wrong(`maxMessages is ${String(maxMessages)}.`, 'It is a whole number from 1.');
  if (send !== undefined) {
    if (typeof send === 'function') return functionOutlet(send);
    throw wrong('send is not a function.', 'It takes one message, and gives nothing back.');
  }
  if (!isSocketUrl(url)) throw wrong(`url is ${JSON.stringify(url)}.`, 'It begins with ws:// or wss://.');
  return socketOutlet(url, WebSocket, maxMessages);
}

function isSocketUrl(url: string): boolean {
  return typeof url === 'string' && URL.canParse(url) && ['ws:', 'wss:'].includes(new URL(url).protocol);
}

function wrong(message: string, hint: string): AgentError {
  return new AgentError('invalid_option', `statelyInspect: ${message}`, { hint });
}
