/** Work that goes on without a request: timers and the two outboxes, each a row in the store until it is done. */
export { LedgerOutbox } from './ledger-outbox.js';
export { MessageOutbox } from './message-outbox.js';
export { TimerQueue } from './timer-queue.js';
export { TimerRunner } from './timer-runner.js';
export { Wakeup } from './wakeup.js';
