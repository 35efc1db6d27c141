/** The policy record (interface, "Policy record"). Unknown fields are kept. */
import { z } from 'zod';
import { component } from '../component.js';
import { policyStatuses, type PolicyStatus } from '../statuses.js';
import { messageId, timestamp, topicId, uuid, version } from './identifiers.js';
import { groupMembership, navigationEntry, policyGroup, policyTest, policyToken, policyTopic } from './policy-parts.js';

const policyStatus = component(
  'PolicyStatus',
  z.enum(Object.keys(policyStatuses) as [PolicyStatus, ...PolicyStatus[]]),
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
  {
    id: 'energy-certificates',
    uuid: '7b1c5d1e-0f6a-4f5e-9a53-3f0d3f0e7a11',
    name: 'Renewable energy',
    description: 'Certificates for renewable energy',
    topicDescription: 'Renewable energy',
    policyTag: 'renewable_energy',
    status: 'PUBLISH',
    creator: 'did:example:registry',
    owner: 'did:example:registry',
    topicId: '0.0.4812345',
    messageId: '1706823227.586179534',
    codeVersion: '1.5.1',
    createDate: '2026-03-14T09:26:53.589Z',
    version: '1.0.0',
    userRole: 'Registrant',
    userRoles: ['Registrant'],
    policyRoles: ['Registrant', 'Verifier'],
    categories: [],
    projectSchema: '00000000-0000-0000-0000-000000000000',
  },
);
