/** An in-memory implementation of every port, and the parts that stores with their records in memory share. */
export { systemClock } from './system-clock.js';
export { systemTimers } from './system-timers.js';
export { randomIds } from './random-ids.js';
export { silentLogger } from './silent-logger.js';
export { consoleLogger, type ConsoleLoggerOptions, type LogLevel } from './console-logger.js';
export { DeliveryQueue, type DeliveryOptions } from './delivery-queue.js';
export { MemoryLink, type MemoryLinkOptions } from './memory-link.js';
export { SeededKeys } from './seeded-keys.js';
export { DerivedAccounts } from './derived-accounts.js';
export { MemoryLedger, type FailureMoment } from './memory-ledger.js';
export { MemoryLinkHub, type MemoryLinkHubOptions } from './memory-link-hub.js';
export { MemoryStore } from './memory-store.js';
export { RecordTables, type TableInfo } from './record-tables.js';
export { Revisions } from './revisions.js';
export { copyChangeSet } from './change-set-copy.js';
