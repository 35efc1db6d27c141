/** Semantic comparison of two policies. */
export { policyChanges, type ComparedPolicy } from './policy-changes.js';
export type { PolicyChange } from './schema-changes.js';
