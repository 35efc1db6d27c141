/** The life of a policy: drafted, tried, published, discontinued. */
export { PolicyDrafts } from './policy-drafts.js';
export { PolicyLifecycle, type StatusChange } from './policy-lifecycle.js';
export { referenceFindings } from './reference-findings.js';
export type { RemovedRecords } from './trial-records.js';
