/** The front door. */
export { createEngine, type EngineOptions } from './create-engine.js';
export { PolicyEngine, type Query, type Range } from './engine.js';
export type { MintTotals, ProgramLedger } from './ledger.js';
export type { Lifecycle, PolicyStatusChange } from './lifecycle.js';
export { defaultEngineLimits, type EngineLimits } from './limits.js';
export type { Requests } from './requests.js';
export type { Schedule } from './schedule.js';
export { serviceIds } from './service-ids.js';
