/** `@blockwork/core/files`: policy files without an engine, for tools that check, draw, compare and pack them. */

export { readPolicy, writtenAsJson, type PolicyFile, type ReadPolicyOptions } from './engine/read-policy.js';
export type { PolicyAsJson } from './policy/index.js';
export { located, packArchive, plainJson, unpackArchive, writtenByHand, type PolicyText } from './policy/index.js';
export { policyChanges } from './comparison/index.js';
export { accessPath } from './access/index.js';
