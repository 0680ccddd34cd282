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
export { memoryStore } from './stores/memory.ts';
