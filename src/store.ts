/** `fuseloop/store`: where runs are kept, so that another process can go on with them. For Node: it reads and writes files. */
export {
  type CheckpointLine,
  type HeldRun,
  type JournalEventLine,
  type JournalLine,
  journalFormat,
  type RunFilter,
  type RunStatus,
  runStatuses,
  type Store,
  type StoredRun,
} from './core/store.ts';
export { blobFiles } from './stores/blob-files.ts';
export type { Blobs } from './stores/blobs.ts';
export { fileStore } from './stores/file.ts';
export { memoryStore } from './stores/memory.ts';
export { prune } from './stores/prune.ts';
export { type SpillOptions, spilled } from './stores/spill.ts';
export { type SqliteStoreOptions, sqliteStore } from './stores/sqlite-store.ts';
