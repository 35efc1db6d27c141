/** The closed enumerations of the interface, in one place. */
import { policyStatuses, type PolicyStatus } from '@blockwork/contract/statuses';
import { z } from 'zod';

export {
  policyTransitions,
  statusesThatAre,
  statusIs,
  type PolicyStatus,
  type PolicyTransition,
} from '@blockwork/contract/statuses';

export const policyStatus = z.enum(Object.keys(policyStatuses) as [PolicyStatus, ...PolicyStatus[]]);
export const testStatus = z.enum(['New', 'Running', 'Stopped', 'Success', 'Failure']);
export const tokenType = z.enum(['fungible', 'non-fungible']);
export const memoObject = z.enum(['topic', 'doc']);
export const groupAccessType = z.enum(['Private', 'Global']);
export const groupRelationshipType = z.enum(['Single', 'Multiple']);
export const requestStatus = z.enum(['NEW', 'COMPLETED', 'REJECTED', 'CANCELED', 'ERROR', 'EXPIRED']);

export type TokenType = z.infer<typeof tokenType>;
export type RequestStatus = z.infer<typeof requestStatus>;
