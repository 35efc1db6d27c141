/** The front door. */
export { createEngine } from './create-engine.js';
export type { EngineOptions } from './engine-options.js';
export { PolicyEngine, type Query, type ToolSummary } from './engine.js';
export type { Lifecycle, PolicyStatusChange } from './lifecycle.js';
export { defaultEngineLimits, type EngineLimits } from './limits.js';
export type { NotificationInbox } from './notifications.js';
export type { ListPage, Range } from './page.js';
export type { Requests } from './requests.js';
export type { Program, ProgramDocuments } from './program/program.js';
export type { MintTotals, ProgramLedger } from './program/ledger.js';
export type { ProgramRequests } from './program/requests.js';
export type { Readiness } from './program/readiness.js';
export type { ProgramSchedule } from './program/schedule.js';
export { serviceIds } from './composition/service-ids.js';
