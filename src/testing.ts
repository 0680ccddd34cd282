/** `fuseloop/testing`: for tests of your own agents, tools, dialects and machines. No network, no key. */

export {
  type RecordedRequest,
  type ScriptEntry,
  type ScriptedModel,
  type ScriptedOptions,
  type ScriptedReply,
  scriptedModel,
} from './models/scripted.ts';
export type { Folded } from './shell/fold.ts';
export { type Arbitraries, arbitraries } from './verify/arbitraries.ts';
export type { ReplyDialect } from './verify/arbitrary-reply.ts';
export { type ToolBehaviour, toolOf } from './verify/arbitrary-tool.ts';
export type { Bounds } from './verify/budgets.ts';
export { certificate } from './verify/certificate.ts';
export { drawPath } from './verify/draw-path.ts';
export { type ExpectEndsOptions, expectEnds, type HostileWorld } from './verify/expect-ends.ts';
export {
  type Counterexample,
  type Exploration,
  type ExploreOptions,
  explore,
  type PathStep,
} from './verify/explore.ts';
export { type FoldOptions, foldTrace } from './verify/fold.ts';
export { type FuzzFailure, type FuzzOptions, type FuzzProgress, type FuzzResult, fuzz } from './verify/fuzz.ts';
export type { Meaning, MeantReply } from './verify/meant-reply.ts';
export { cutInto } from './verify/pieces.ts';
export { type SimulateOptions, type Simulation, simulate } from './verify/simulate.ts';
export { type VirtualClock, virtualClock } from './verify/virtual-clock.ts';
