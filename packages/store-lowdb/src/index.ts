/** `@blockwork/store-lowdb`: a policy store on files for one process, with a journal in front of lowdb snapshots. */
export { openLowdbStore } from './store/open-lowdb-store.js';
export type { LowdbStore } from './store/lowdb-store.js';
export type { LowdbStoreOptions } from './store/options.js';
export type { Durability } from './journal/journal-segment.js';
export type { Damage, OpenReport, TruncatedEnd } from './recovery/open-report.js';
export type { FileSystem, OpenOptions, WritableFile } from './files/file-system.js';
export type { Copied } from './backup/copy-store.js';
export {
  backupStore,
  keySeedBeside,
  restoreStore,
  type BackupOptions,
  type BackupReport,
  type RestoreOptions,
} from './tools/backup-store.js';
export { compactStore, type Compaction } from './tools/compact-store.js';
export { exportStore, openStoreSource, type ExportOptions } from './tools/export-store.js';
export { importStore, type ImportOptions } from './tools/import-store.js';
export { readJournal, type ReadJournalOptions } from './tools/read-journal.js';
export { repairStore, type RepairOptions } from './tools/repair-store.js';
export type { ToolOptions } from './tools/tool-options.js';
export { verifyStore, type Verification } from './tools/verify-store.js';
