/** The policy record (interface, "Policy record"). Unknown fields are kept. */
import { z } from 'zod';
import { component } from '../component.js';
import { messageId, timestamp, topicId, uuid, version } from './identifiers.js';
import { groupMembership, navigationEntry, policyGroup, policyTest, policyToken, policyTopic } from './policy-parts.js';

const policyStatus = component(
  'PolicyStatus',
  z.enum(['DRAFT', 'DRY-RUN', 'PUBLISH', 'PUBLISH_ERROR', 'DISCONTINUED', 'DEMO', 'VIEW']),
);

export const policyRecord = component(
  'PolicyRecord',
  z.looseObject({
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
  }),
);
