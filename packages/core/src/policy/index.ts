/** Policies: reading them from files, compiling them into a tree, and the findings of both. */
export { compilePolicy, compiling } from './compile/compile.js';
export { declaredReferences } from './compile/compile.js';
export { declaredOutputs } from './compile/event-ends.js';
export { tokenIds } from './compile/token-ids.js';
export { defaultPolicyFileLimits, policyFileLimits, type PolicyFileLimits } from './file/limits/limits.js';
export type { PolicyBundle } from './file/policy-bundle.js';
export { writingModule, writingPolicy, type PolicyContents } from './file/export/write-policy.js';
export { zipped } from './file/zip/write-zip.js';
export { policyAsJson, type PolicyAsJson } from './file/export/policy-as-json.js';
export type { CarriedTool } from './file/tool-files.js';
export { walkTree } from './model/tree-walk.js';
export { readingTool, type ToolBundle } from './file/read-tool.js';
export { packArchive, unpackArchive } from './file/archive-files.js';
export { readingPolicyFile, readPolicyFile, writtenByHand } from './file/read-file.js';
export { findingsByHand } from './file/by-hand.js';
export { located, type PolicyText } from './file/located.js';
export { plainJson } from './file/json/plain-json.js';
export { tryParseJson } from './file/json/parse-json.js';
export { readSchemas } from './file/parts/schemas.js';
export { readTokens, tokenFindings } from './file/parts/tokens.js';
export { readingPolicyJson, readPolicyJson } from './file/read-json.js';
export { copyJson } from './file/json/copy-json.js';
export { normalizing } from './file/normalize/normalize-config.js';
export { renewBlockIds } from './file/renew-ids.js';
export { expandTools, type Expanded } from './tools/expand-tools.js';
export { toolReferences, withToolsRenamed } from './tools/expand-tools.js';
export { finding, suggestedRemoval, suggestedValue, type FindingFacts } from './model/block-finding.js';
export {
  ERROR,
  FILTER_CHANGED,
  MEMBER_REMOVED,
  REFRESH,
  RELEASE,
  ROW_ACTION,
  RUN,
  standardInputs,
  type StandardInput,
  standardOutputs,
  type StandardOutput,
  TICK,
} from './model/event-names.js';
export { moduleVariables, variableTypes } from './model/module.js';
export type { Finding, FindingCode, Suggestion } from './model/policy-model.js';
export {
  blockKinds,
  type BlockDefinition,
  type BlockKind,
  type BlockNode,
  type EventLink,
  type PolicyTree,
} from './model/policy-model.js';
export { isSwitched } from './model/switched.js';
export { pointerOf } from './model/pointer.js';
export { meaningOnly } from './model/words.js';
export { shownOf } from './model/hidden-texts.js';
export { isLiteral, literalSecret } from './model/literal-secret.js';
export { namesSecret, publicConfiguration, sensitive } from './model/sensitive.js';
export { referenceTargets, type Reference, type ReferenceTarget } from './model/policy-model.js';
