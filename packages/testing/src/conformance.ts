/** Conformance suites for adapters. They declare vitest tests. */
export { policyStoreConformance, type StoreConformanceTarget } from './policy-store-conformance.js';
export { linkConformance, type LinkConformanceTarget } from './conformance/link-conformance.js';
