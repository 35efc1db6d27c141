/** Blockwork testing: run one block or a whole policy as its users would, in milliseconds and without a network. */
export { blockBench, type BlockBench, type BlockSession, type EmittedEvent } from './block-bench.js';
export type { BenchSetup, BenchUser, BlockFragment } from './bench-setup.js';
export { block, documents, gridWith } from './fixtures.js';
export { keyHolder, type KeyHolder } from './key-holder.js';
export { SequentialIds } from './sequential-ids.js';
export { SimulatedClock } from './simulated-clock.js';
export { SimulatedTimers } from './simulated-timers.js';
export {
  policyBench,
  reopenedPolicyBench,
  type OpenedPolicy,
  type OutsideData,
  type PolicyBench,
} from './policy-bench/policy-bench.js';
export type { PolicySource } from './policy-bench/bench-engine.js';
export type { PolicyBenchOptions } from './policy-bench/policy-bench-options.js';
export type { PolicyUnderTest } from './policy-bench/policy-under-test.js';
export type { RoleChoice, UserSession } from './policy-bench/user-session.js';
export type { Minted } from './policy-bench/minted.js';
export type { UnsignedCredential } from './policy-bench/signed-credential.js';
export type { Where } from './policy-bench/where.js';
export { runScenario } from './scenario/run-scenario.js';
export { readScript, type ScenarioScript, type ScenarioStep } from './scenario/script.js';
export { describeFailures, type ScenarioFailure, type ScenarioReport } from './scenario/report.js';
export { openScenarioWorld, type ScenarioWorld, type ScenarioWorldOptions } from './scenario/scenario-world.js';
export { inProcess, ScenarioRefusal, type ScenarioAccess } from './scenario/scenario-access.js';
export { ScenarioRun } from './scenario/scenario-run.js';
export { worldView, type WorldView } from './scenario/world-view.js';
export { explorePolicy, type ExploreOptions } from './explorer/explore-policy.js';
export { describeExploration, hasDefects } from './explorer/describe-exploration.js';
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
} from './explorer/exploration.js';
export type { Deed, Invariant, InvariantFunction, InvariantView } from './explorer/invariants.js';
export { MemoryCluster, type ClusterConnection } from './cluster/memory-cluster.js';
export { FaultyStore, type StoreFault } from './faulty-store.js';
export { RefusingLedger } from './refusing-ledger.js';
export { MachineStopped, type FaultCode, type FaultPlan } from './faults/fault-plan.js';
export { SimulatedDisk, type SimulatedHandle } from './faults/simulated-disk.js';
export type { Fate } from './faults/simulated-file.js';
