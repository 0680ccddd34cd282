/** `fuseloop/testing`: for tests of your own agents. No I/O, no key, the same every time. */
export {
  type RecordedRequest,
  type ScriptEntry,
  type ScriptedModel,
  type ScriptedOptions,
  type ScriptedReply,
  scriptedModel,
} from './models/scripted.ts';
