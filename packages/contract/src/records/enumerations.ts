/** The closed enumerations of the interface, in one place. */
import { z } from 'zod';
import { component } from '../component.js';
import { policyStatuses, type PolicyStatus } from '../statuses.js';

export const policyStatus = component(
  'PolicyStatus',
  z.enum(Object.keys(policyStatuses) as [PolicyStatus, ...PolicyStatus[]]),
);
export const requestStatus = component(
  'RequestStatus',
  z.enum(['NEW', 'COMPLETED', 'REJECTED', 'CANCELED', 'ERROR', 'EXPIRED']),
);
export const requestType = z.enum(['import-policy', 'send-data', 'sign']);
export const testStatus = z.enum(['New', 'Running', 'Stopped', 'Success', 'Failure']);
export const tokenType = z.enum(['fungible', 'non-fungible']);
/** What happens on a ledger. */
export const effectType = z.enum([
  'create-token',
  'associate',
  'dissociate',
  'freeze',
  'unfreeze',
  'grant-kyc',
  'revoke-kyc',
  'mint',
  'wipe',
  'transfer',
  'create-topic',
  'message',
]);
export const memoObject = z.enum(['topic', 'doc']);
export const groupAccessType = z.enum(['Private', 'Global']);
export const groupRelationshipType = z.enum(['Single', 'Multiple']);
