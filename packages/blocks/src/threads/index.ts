/** Threads: where scripts and large formulas of policies run. */
export { ThreadPool, threadPoolType, type ThreadPoolOptions } from './thread-pool.js';
export { ThreadStopped } from './thread-pool.js';
