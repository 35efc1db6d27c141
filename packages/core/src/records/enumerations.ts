/** The closed enumerations of the interface, as the contract has them. */
import type { effectType, requestStatus, tokenType } from '@blockwork/contract/records';
import type { z } from 'zod';

export {
  effectType,
  groupAccessType,
  groupRelationshipType,
  memoObject,
  policyStatus,
  requestStatus,
  testStatus,
  tokenType,
} from '@blockwork/contract/records';
export {
  policyTransitions,
  statusesThatAre,
  statusIs,
  type PolicyStatus,
  type PolicyTransition,
} from '@blockwork/contract/statuses';

export type EffectType = z.infer<typeof effectType>;
export type TokenType = z.infer<typeof tokenType>;
export type RequestStatus = z.infer<typeof requestStatus>;
