/** The policy record: body and answer of the approve operation (interface, "Policy record"). */
import { z } from 'zod';
import {
  groupAccessType,
  groupRelationshipType,
  memoObject,
  policyStatus,
  testStatus,
  tokenType,
} from '../enumerations.js';
import { messageId, timestamp, topicId, uuid, version } from '../identifiers.js';

export const navigationStep = z.looseObject({
  block: z.string().optional(),
  level: z.number().optional(),
  name: z.string().optional(),
});

export const navigationEntry = z.looseObject({
  role: z.string().optional(),
  steps: z.array(navigationStep).optional(),
});

export type NavigationStep = z.infer<typeof navigationStep>;
export type NavigationEntry = z.infer<typeof navigationEntry>;

export const groupMembership = z.looseObject({
  uuid: uuid.optional(),
  role: z.string().optional(),
  groupLabel: z.string().optional(),
  groupName: z.string().optional(),
  active: z.boolean().optional(),
});
export type GroupMembership = z.infer<typeof groupMembership>;

export const policyTest = z.looseObject({
  id: z.string().optional(),
  uuid: uuid.optional(),
  name: z.string().optional(),
  policyId: z.string().optional(),
  owner: z.string().optional(),
  status: testStatus.optional(),
  date: timestamp.optional(),
  duration: z.number().optional(),
  progress: z.number().optional(),
  resultId: uuid.optional(),
  result: z.string().optional(),
});

export const policyToken = z.looseObject({
  tokenName: z.string().optional(),
  tokenSymbol: z.string().optional(),
  tokenType: tokenType.optional(),
  decimals: z.string().optional(),
  changeSupply: z.boolean().optional(),
  enableAdmin: z.boolean().optional(),
  enableFreeze: z.boolean().optional(),
  enableKYC: z.boolean().optional(),
  enableWipe: z.boolean().optional(),
  templateTokenTag: z.string().optional(),
});
export type PolicyToken = z.infer<typeof policyToken>;

export const policyTopic = z.looseObject({
  name: z.string().optional(),
  description: z.string().optional(),
  memoObj: memoObject.optional(),
  static: z.boolean().optional(),
  type: z.string().optional(),
});
export type PolicyTopic = z.infer<typeof policyTopic>;

export const policyGroup = z.looseObject({
  name: z.string().optional(),
  creator: z.string().optional(),
  groupAccessType: groupAccessType.optional(),
  groupRelationshipType: groupRelationshipType.optional(),
  members: z.array(z.string()).optional(),
});
export type PolicyGroup = z.infer<typeof policyGroup>;

/** Unknown fields are kept, so records of newer versions pass through unchanged. */
export const policyRecord = z.looseObject({
  id: z.string().min(1).max(200),
  uuid,
  name: z.string(),
  description: z.string(),
  topicDescription: z.string(),
  policyTag: z.string(),
  status: policyStatus,
  creator: z.string(),
  owner: z.string(),
  topicId,
  messageId,
  codeVersion: version,
  createDate: timestamp,
  version,
  config: z.record(z.string(), z.unknown()).optional(),
  userRole: z.string(),
  userRoles: z.array(z.string()),
  userGroup: groupMembership.optional(),
  userGroups: z.array(groupMembership).optional(),
  policyRoles: z.array(z.string()),
  policyNavigation: z.array(navigationEntry).optional(),
  policyTopics: z.array(policyTopic).optional(),
  policyTokens: z.array(policyToken).optional(),
  policyGroups: z.array(policyGroup).optional(),
  categories: z.array(z.string()),
  projectSchema: uuid,
  tests: z.array(policyTest).optional(),
});
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
