/** Moving events: reads, sends, and everything a send sets going. */
export { BlockTimers } from './block-timers.js';
export { isBlockFailure } from './block-failure.js';
export { IdempotentSends } from './idempotent-sends.js';
export { Run, type RunDeps, type RunLimits } from './run.js';
export { type Ran, Workflow } from './workflow.js';
