/** How a workflow moves: the block contract, reads, sends, events, units of work. */
export * from './contract.js';
export { Alarm } from './alarm.js';
export { AnswerCache } from './answer-cache.js';
export { blockRegistry, type BlockRegistry } from './block-registry.js';
export { Executor, type Committed, type ExecutorOptions } from './executor.js';
export { definitionKey, PolicyLibrary, type OpenPolicy } from './policy-library.js';
export { DocumentIntake } from './document-intake.js';
export { POLICIES, PolicyIntake, type IntakeTools } from './policy-intake.js';
export { switchGroup } from './group-switch.js';
export { membershipsOf } from './policy-memberships.js';
export { Run, type RunLimits, type RunTools } from './run.js';
export { Schedule } from './schedule.js';
export { Settlement, type SettlementTools } from './settlement.js';
export { Timekeeper } from './timekeeper.js';
export { UnitOfWork, type RecordReader } from './unit-of-work.js';
export { blockOf, type BlockReference } from './block-reference.js';
export { Workflow, type Ran } from './workflow.js';
