/** What a policy is: reading one from a file, compiling it into a tree, and what is found on the way. */
export { compilePolicy } from './compile/compile.js';
export { tokenIds } from './compile/token-ids.js';
export { defaultPolicyFileLimits, policyFileLimits, type PolicyFileLimits } from './file/limits.js';
export type { PolicyBundle } from './file/policy-bundle.js';
export { readArchive } from './file/read-archive.js';
export { readPolicyJson } from './file/read-json.js';
export { renewBlockIds } from './file/renew-ids.js';
export type { BlockAbout, BlockDefinition, BlockKind } from './model/block-definition.js';
export type { Finding, FindingCode } from './model/finding.js';
export type { BlockNode, EventLink, PolicyTree } from './model/policy-tree.js';
