/**
 * `fuseloop/trace`: traces as files. `traceFile(path)` writes one, `traceFolder(path)` one for each run, `readTrace(path)` reads and
 * checks one. Needs Node.
 */
export type { TraceDropped } from './core/trace.ts';
export { type TraceFile, traceFile } from './observe/trace-file.ts';
export { type TraceFolder, type TracesWritten, traceFolder } from './observe/trace-folder.ts';
export type { TraceFileOptions, TraceWriterOptions } from './observe/trace-options.ts';
export { readTrace, type TraceNotes, type TraceReading, type TraceSource } from './observe/trace-reader.ts';
export type { TraceWritten } from './observe/trace-sink.ts';
