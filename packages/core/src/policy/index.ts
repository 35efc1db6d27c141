/** What a policy is: reading one from a file, compiling it into a tree, and what is found on the way. */
export type { BlockAbout, BlockCatalog, BlockDefinition, BlockKind } from './block-definition.js';
export { compilePolicy } from './compile.js';
export type { CompileFacts } from './compile-facts.js';
export type { Finding, FindingCode } from './finding.js';
export { defaultPolicyFileLimits, policyFileLimits, type PolicyFileLimits } from './limits.js';
export type { PolicyBundle, PolicyFacts } from './policy-bundle.js';
export type { BlockNode, ErrorAction, EventLink, PolicyTree } from './policy-tree.js';
export { readArchive } from './read-archive.js';
export { readPolicyJson } from './read-json.js';
export type { ReadPolicyOptions } from './read-options.js';
export { renewBlockIds } from './renew-ids.js';
export { tokenIds } from './token-ids.js';
