/** A policy store on files, for one process: a journal in front of lowdb snapshots. */
export { openLowdbStore } from './open-lowdb-store.js';
export type { LowdbStore } from './lowdb-store.js';
export type { Durability, LowdbStoreOptions } from './options.js';
export type { Damage, OpenReport, TornEnd } from './report.js';
export type { FileSystem, WritableFile } from './file-system.js';
