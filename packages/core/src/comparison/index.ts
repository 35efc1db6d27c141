/** What changed between two policies, by meaning. */
export { policyChanges, type ComparedPolicy } from './policy-changes.js';
export type { PolicyChange } from './policy-change.js';
