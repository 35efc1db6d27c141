/** Background work outside requests: timers and the two outboxes, each item a row in the store until it is done. */
export { CrossNodeWakeUps } from './nodes/cross-node-wake-ups.js';
export { ClaimingService, type ServiceDeps } from './claiming-service.js';
export { JournalRetention } from './journal-retention.js';
export { keyCheck } from './key-check.js';
export { type Found, KeyedService, type Look } from './keyed-service.js';
export { LedgerOutbox, type LedgerOutboxDeps } from './ledger-outbox.js';
export { MessageOutbox } from './message-outbox.js';
export { earliest, nextPoll } from './polling.js';
export { type Leases, StoreNode } from './nodes/store-node.js';
export type { TimerHandlers } from './timer-queue.js';
export type { StuckWork, StuckWorkSource } from './stuck-work.js';
export { NotificationDelivery } from './notification-delivery.js';
export { ReadablePolicies } from './readable-policies.js';
export { firstTimers } from './due-timers.js';
export { TimerQueue } from './timer-queue.js';
export { type BackgroundService, Worker } from './worker.js';
