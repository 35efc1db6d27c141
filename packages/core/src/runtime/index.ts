/** The runtime of events: reads, sends, and everything a send triggers. */
export { BlockTimers } from './block-timers.js';
export {
  type BlockExplanation,
  type ExplainedBlock,
  type ExplainedStep,
  type ExplainedUser,
  Explanations,
  type SelectionExplanation,
  type Verdict,
} from './explanations.js';
export type { ExplainedCondition, SourceExplanation } from './explained-sources.js';
export { type BlockDerivation, derivationOf, type DocumentDerivation } from './derivations.js';
export { type PendingWorkAtBlock, PendingWorkCounts } from './pending-work.js';
export type { ReadScopeDeps } from './read-scope.js';
export { IdempotentSends } from './idempotent-sends.js';
export { Run, type RunDeps, type RunLimits } from './run.js';
export { type Ran, Workflow } from './workflow.js';
