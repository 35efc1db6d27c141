/** Work that is done without a request: timers and the two outboxes, each a row in the store until it is done. */
export { InFlight } from './in-flight.js';
export { KeyCheck } from './key-check.js';
export { KeyedBackoff } from './keyed-backoff.js';
export { LedgerOutbox } from './ledger-outbox.js';
export { MessageOutbox } from './message-outbox.js';
export type { TimerHandlers } from './timer-handlers.js';
export { TimerQueue } from './timer-queue.js';
export { type BackgroundService, Worker } from './worker.js';
