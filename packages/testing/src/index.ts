/** Blockwork testing: run one block, or a whole policy, as its users would, in milliseconds and without a network. */
export { blockBench, type BenchSeat, type BlockBench, type EmittedEvent } from './block-bench.js';
export type { BenchSetup, BenchUser, BlockFragment } from './bench-setup.js';
export { block, documents, gridWith } from './fixtures.js';
export { SequentialIds } from './sequential-ids.js';
export { SimulatedClock } from './simulated-clock.js';
export { MachineStopped, type FaultCode, type FaultPlan } from './faults/fault-plan.js';
export { SimulatedDisk, type SimulatedHandle } from './faults/simulated-disk.js';
export type { Fate } from './faults/simulated-file.js';
