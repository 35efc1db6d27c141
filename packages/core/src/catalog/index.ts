/** The catalog of policies: import, compilation and block lookup. */
export { AnswerCache, type ComputedAnswer } from './answer-cache.js';
export {
  assertBlockReference,
  blockOf,
  type BlockReference,
  blockTagged,
  describe,
  findBlock,
} from './block-reference.js';
export { blockRegistry, type BlockRegistry } from './block-registry.js';
export { CompiledPolicyCache, type OpenPolicy, schemaOfTools } from './compiled-policy-cache.js';
export { notJsonWithRows, RowTexts } from './row-texts.js';
export { carryEditsAcross, lastRevisionOf, revisionId } from './edits-across.js';
export { PolicyExporter } from './policy-exporter.js';
export { PolicyImporter, type ImportedPolicy } from './policy-importer.js';
export { ToolLibrary } from './tool-library.js';
export { isUniqueVariant } from './unique-name.js';
export {
  assertOwnedIn,
  assertPublished,
  assertReadable,
  assertRunning,
  assertTransition,
  isTicking,
} from './policy-status.js';
