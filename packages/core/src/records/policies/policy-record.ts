/** The policy record: body and answer of the approve operation (interface, "Policy record"). */
import { z } from 'zod';
import { policyStatus } from '../enumerations.js';
import { groupMembership } from './group-membership.js';
import { messageId, timestamp, topicId, uuid, version } from '../identifiers.js';
import { navigationEntry } from './navigation.js';
import { policyGroup } from './policy-group.js';
import { policyTest } from './policy-test.js';
import { policyToken } from './policy-token.js';
import { policyTopic } from './policy-topic.js';

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
