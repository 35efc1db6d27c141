/** Blockwork blocks: the standard library of working blocks. */
export { standardBlocks, type StandardBlocksOptions } from './standard-blocks.js';
export { buttonBlock, interfaceActionBlock } from './actions/index.js';
export {
  aggregateDocumentBlock,
  calculateContainerBlock,
  calculateMathAddon,
  calculateMathVariables,
  customLogicBlock,
  type CustomLogicOptions,
  mathBlock,
  type MathBlockOptions,
  splitBlock,
} from './calculation/index.js';
export {
  definePolicy,
  defineSchema,
  type BlockDefinition,
  type BlockMembers,
  type BlockOf,
  type CommonMembers,
  type DefinedPolicy,
  type DocumentOf,
  type FormOf,
  type JsonSchemaOf,
  type LinkDefinition,
  type PolicyDefinition,
  type SchemaDefinition,
  type SubjectOf,
  type TagOf,
  type WrittenSchema,
} from './definition/index.js';
export { reassigningBlock, revokeBlock, sendToGuardianBlock, setRelationshipsBlock } from './documents/index.js';
export { extractDataBlock } from './extraction/index.js';
export { switchBlock } from './flow/index.js';
export {
  documentValidatorBlock,
  externalDataBlock,
  requestValidationAddon,
  requestVcDocumentBlock,
  uploadVcDocumentBlock,
} from './forms/index.js';
export {
  amount,
  formula,
  FormulaError,
  type Formula,
  type FormulaBlockOptions,
  type FormulaOptions,
  type FormulaRunLimits,
} from './formulas/index.js';
export { groupManagerBlock, multiSignBlock } from './groups/index.js';
export {
  httpRequestBlock,
  type HttpRequestOptions,
  type Integration,
  type IntegrationAnswer,
  integrationButtonBlock,
  type IntegrationCall,
  type IntegrationOptions,
  webhookSender,
  type WebhookSenderOptions,
} from './integrations/index.js';
export { notificationBlock } from './notifications/index.js';
export { messagesReportBlock, reportBlock, reportItemBlock } from './reports/index.js';
export { revocationBlock } from './revocation/index.js';
export {
  buttonBlockAddon,
  dropdownBlockAddon,
  requestVcDocumentBlockAddon,
  selectiveAttributes,
} from './rows/index.js';
export { globalEventsReaderBlock, globalEventsWriterBlock } from './streams/index.js';
export { tagsManager } from './tags/index.js';
export type { ScriptLimits } from './scripts/index.js';
export { ThreadPool, type ThreadPoolOptions } from './threads/index.js';
export { timerBlock } from './timers/index.js';
export { externalTopicBlock } from './topics/index.js';
export {
  dataTransformationAddon,
  httpRequestUIAddon,
  ipfsTransformationUIAddon,
  transformationButtonBlock,
  transformationUIAddon,
  type TransformationOptions,
} from './transformations/index.js';
export {
  createTokenBlock,
  impactAddon,
  mintDocumentBlock,
  retirementDocumentBlock,
  tokenActionBlock,
  tokenConfirmationBlock,
} from './tokens/index.js';
