/** `fuseloop/record`: models recorded and replayed, and whole runs replayed from their traces. For Node: it reads and writes files. */
export type { TraceDifference } from './record/follow-trace.ts';
export { type RecordingModel, type RecordOptions, record } from './record/record.ts';
export { type ReplayOptions, type RequestDifference, replay } from './record/replay.ts';
export { type RunReplay, replayTrace, type TraceReplay } from './record/replay-trace.ts';
export type { ReplayTraceOptions } from './record/trace-options.ts';
