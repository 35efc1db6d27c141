/** Blockwork testing: run one block or a whole policy as its users would, in milliseconds and without a network. */
export { blockBench, type BlockBench, type BlockSession, type EmittedEvent } from './block-bench.js';
export type { BenchSetup, BenchUser, BlockFragment } from './bench-setup.js';
export { block, documents, gridWith } from './fixtures.js';
export { keyHolder, type KeyHolder } from './key-holder.js';
export { SequentialIds } from './sequential-ids.js';
export { SimulatedClock } from './simulated-timers.js';
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
export { meets, type Where } from './policy-bench/where.js';
export { setAt } from './policy-bench/set-at.js';
export { MemoryCluster, type ClusterConnection } from './cluster/memory-cluster.js';
export { SharedCoordination, type Connecting } from './cluster/shared-coordination.js';
export { FaultyStore, type StoreFault } from './faulty-store.js';
export { RefusingLedger } from './refusing-ledger.js';
export { MachineStopped, type FaultCode, type FaultPlan } from './faults/fault-plan.js';
export { SimulatedDisk, type SimulatedHandle } from './faults/simulated-disk.js';
export type { Fate } from './faults/simulated-file.js';
