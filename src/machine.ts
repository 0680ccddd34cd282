/** `fuseloop/machine`: the bare machine, its types and its port, to drive, wrap, explore or draw it. */
export { admit } from '../machines/admit.ts';
export type { Command, CommandType } from '../machines/commands.ts';
export { initialContext, type ReactInput } from '../machines/context.ts';
export type { Edge, Happening, Rest } from '../machines/edge.ts';
export { checkLaws, type LawName, laws } from '../machines/laws.ts';
export { createReactMachine, type ReactMachine, type ReactOutput } from '../machines/react.machine.ts';
export type { ReactEvent, ReactEventType } from './core/events.ts';
export type { CallState, CallStatus, EffectRecord, ReactContext, RunLimits, StatePath } from './core/snapshot.ts';
export type { Verdict } from './core/verdict.ts';
export { createPort, isDone, type Outstanding, type Port, type ReactSnapshot, type Stepped, stateOf } from './step.ts';
