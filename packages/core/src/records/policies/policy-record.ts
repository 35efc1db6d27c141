/** The policy record: body and answer of the approve operation (interface, "Policy record"), as the contract has it. */
import {
  policyRecord,
  type groupMembership,
  type navigationEntry,
  type navigationStep,
  type policyGroup,
  type policyToken,
  type policyTopic,
} from '@blockwork/contract/records';
import type { z } from 'zod';

export {
  groupMembership,
  navigationEntry,
  navigationStep,
  policyGroup,
  policyRecord,
  policyTest,
  policyToken,
  policyTopic,
} from '@blockwork/contract/records';

export type NavigationStep = z.infer<typeof navigationStep>;
export type NavigationEntry = z.infer<typeof navigationEntry>;
export type GroupMembership = z.infer<typeof groupMembership>;
export type PolicyToken = z.infer<typeof policyToken>;
export type PolicyTopic = z.infer<typeof policyTopic>;
export type PolicyGroup = z.infer<typeof policyGroup>;
/** Unknown fields are kept, so records of newer versions pass through unchanged. */
export type PolicyRecord = z.infer<typeof policyRecord>;

/** Fields that depend on the caller; computed per answer and never stored. */
export const perCallerFields = ['userRole', 'userRoles', 'userGroup', 'userGroups'] as const;

/** A policy as it is stored: without the per-caller fields, and with its configuration kept apart. */
export const storedPolicy = policyRecord.omit({
  userRole: true,
  userRoles: true,
  userGroup: true,
  userGroups: true,
  config: true,
});
export type StoredPolicy = z.infer<typeof storedPolicy>;
