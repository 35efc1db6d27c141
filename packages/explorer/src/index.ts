/** Blockwork explorer: plays whole policies, by a script or at random, and reports what happened. */
export { runScenario } from './scenario/run-scenario.js';
export { readScript, type ScenarioScript, type ScenarioStep } from './scenario/script.js';
export { describeFailures, type ScenarioFailure, type ScenarioReport } from './scenario/report.js';
export { openScenarioWorld, type ScenarioWorld, type ScenarioWorldOptions } from './scenario/scenario-run.js';
export { inProcess, ScenarioRefusal, type ScenarioAccess } from './scenario/scenario-access.js';
export { ScenarioRun } from './scenario/scenario-run.js';
export { worldView, type WorldView } from './scenario/world-view.js';
export { explorePolicy, type ExploreOptions } from './explore-policy.js';
export { describeExploration, hasDefects } from './describe-exploration.js';
export type {
  Coverage,
  DeadEnd,
  Exploration,
  Incident,
  InvariantResult,
  MintedBy,
  MintedTwice,
  ReachedBlock,
  UnreachedBlock,
  UnreachedReason,
} from './exploration.js';
export type { Deed, Invariant, InvariantFunction, InvariantView } from './invariants.js';
