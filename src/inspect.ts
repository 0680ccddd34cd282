/** `fuseloop/inspect`: a page that shows runs live and afterwards, and what the inspectors of XState read. Needs Node. */
import { createReactMachine } from '../machines/react.machine.ts';
import { type BridgeOptions, createBridge, type XStateInspectBridge } from './observe/xstate/bridge.ts';
import { createStatelyInspect, type StatelyInspect, type StatelyOptions } from './observe/xstate/stately-inspect.ts';

/**
 * Shows runs in the inspector of XState 5: what it sends is what receivers of @statelyai/inspect 0.7 read. It connects when
 * there is something to show, again when the connection was lost, and changes no run. Throws AgentError (`invalid_option`) for
 * an option that cannot be used, and where it needs the package ws and that is missing.
 */
export function statelyInspect(options: StatelyOptions = {}): StatelyInspect {
  return createStatelyInspect(options, createReactMachine());
}

/**
 * Shows runs in the inspector of XState 4: receivers of @xstate/inspect 0.8 connect to it. It changes no run. Throws AgentError
 * (`invalid_option`) as `statelyInspect` does; whether the port could be had is told by `ready`.
 */
export function xstateInspectBridge(options: BridgeOptions = {}): XStateInspectBridge {
  return createBridge(options, createReactMachine());
}

export { createInspector, type Inspector, type InspectorOptions } from './observe/inspect/inspector.ts';
export type { WatchedRun } from './observe/inspect/watched-run.ts';
export type { BridgeOptions, XStateInspectBridge } from './observe/xstate/bridge.ts';
export type { WebSocketLike } from './observe/xstate/link.ts';
export type { StatelyInspect, StatelyOptions } from './observe/xstate/stately-inspect.ts';
export type { StatelyMessage } from './observe/xstate/stately-messages.ts';
