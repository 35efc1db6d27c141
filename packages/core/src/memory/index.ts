/** The store, the link and the ledger in memory, and building blocks for other adapters. */
export { type DeliveryOptions, DeliveryQueue } from './link/delivery-queue.js';
export { decodeBody, encodeBody, MESSAGE_BYTES } from './link/message-body.js';
export { MemoryLinkHub, type MemoryLinkHubOptions } from './link/memory-link-hub.js';
export { MemoryLink, type MemoryLinkOptions } from './link/memory-link.js';
export { type FailureMoment, MemoryLedger } from './memory-ledger.js';
export { copyChangeSet } from './store/memory-store.js';
export type { Entry, RecordValue } from './store/entry.js';
export { MemoryStore } from './store/memory-store.js';
export type { PackedRecords } from './store/packed-records.js';
export { RecordTables, type TableInfo } from './store/record-tables.js';
export { Revisions } from './store/revisions.js';
