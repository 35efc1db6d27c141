/** Default implementations of the small ports: clock, timers, ids, loggers, keys, accounts. */
export { consoleLogger, type ConsoleLoggerOptions, type LogLevel } from './console-logger.js';
export { DerivedAccounts } from './derived-accounts.js';
export { environmentSecrets } from './environment-secrets.js';
export { fileSecrets } from './file-secrets.js';
export { makeFolder } from './make-folder.js';
export { optionTypes } from './option-types.js';
export { randomIds } from './random-ids.js';
export { recentLog, type RecentLog, type RecentLogOptions } from './recent-log.js';
export { SeededKeys } from './seeded-keys.js';
export { silentLogger } from './silent-logger.js';
export { StoreClock } from './store-clock.js';
export { systemClock } from './system-clock.js';
export { systemTimers } from './system-timers.js';
