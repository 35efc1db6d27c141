/** Blockwork blocks: the standard library of working blocks. */
export { standardBlocks, type StandardBlocksOptions } from './standard-blocks.js';
export { Button, InterfaceAction } from './actions/index.js';
export {
  AggregateDocument,
  CalculateContainer,
  CalculateMathAddon,
  CalculateMathVariables,
  CustomLogic,
  Split,
} from './calculation/index.js';
export { Reassigning, Revoke, SendToGuardian, SetRelationships } from './documents/index.js';
export { switchBlock } from './flow/index.js';
export { DocumentValidator, ExternalData, RequestVcDocument } from './forms/index.js';
export { amount, formula, FormulaError, type Formula } from './formulas/index.js';
export { GroupManager, MultiSign } from './groups/index.js';
export { HttpRequest, type HttpRequestOptions } from './integrations/index.js';
export { Report, ReportItem } from './reports/index.js';
export type { ScriptLimits, ScriptPoolOptions } from './scripts/index.js';
export { TimerBlock } from './timers/index.js';
export {
  CreateToken,
  ImpactAddon,
  MintDocument,
  RetirementDocument,
  TokenAction,
  TokenConfirmation,
} from './tokens/index.js';
