/**
 * The other end of xstateInspectBridge: `createWebSocketReceiver` of @xstate/inspect 0.8, as it is, over xstate 4. It writes one
 * line of JSON for each message that xstate 4 has accepted, and what it could not take to stderr. A line on stdin is sent as an
 * event, for the session that it names: `SESSION EVENT`.
 */
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';

const require = createRequire(import.meta.url);
globalThis.WebSocket = WebSocket; // As a browser has it.
const { createWebSocketReceiver } = require('@xstate/inspect');
const { version } = require('xstate/package.json');

const machines = new Map();
const receiver = createWebSocketReceiver({ server: process.argv[2] });
const write = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

receiver.subscribe((message) => write(told(message)));
createInterface({ input: process.stdin }).on('line', (line) => {
  const [origin, name] = line.split(' ');
  const event = { name, data: { type: name }, $$type: 'scxml', type: 'external', origin };
  receiver.send({ type: 'xstate.event', event: JSON.stringify(event), service: origin });
});

function told({ type, sessionId, machine, state, event, id, parent }) {
  if (type === 'service.register') {
    machines.set(sessionId, machine);
    const transitions = Object.fromEntries(
      machine.stateIds.map((one) => [one, waysOut(machine.getStateNodeById(one))]),
    );
    return {
      type,
      sessionId,
      id,
      parent,
      version,
      transitions,
      initial: machine.initial,
      ...stateIn(sessionId, state),
    };
  }
  if (type === 'service.state') return { type, sessionId, ...stateIn(sessionId, state) };
  return { type, sessionId, event: event?.data, name: event?.name };
}

/** Throws where the machine has no such state. */
function stateIn(sessionId, state) {
  const { value, done } = machines.get(sessionId).resolveState(state);
  return { value, context: state.context, event: state.event, done, matches: state.matches(state.value) };
}

function waysOut({ transitions }) {
  return transitions.map(({ eventType, cond, target, actions }) => ({
    event: eventType,
    guard: cond?.name ?? null,
    target: target?.map(({ id }) => id) ?? [],
    actions: actions.map(({ type }) => type),
  }));
}
