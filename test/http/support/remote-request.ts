/** A request of a remote instance to take over a policy, and the record that approves it. */
import type { PolicyRecord } from '@blockwork/core';

export const requestId = '1773670900.819264517';

const policy = {
  id: 'remote-policy',
  uuid: '7b1c5d1e-0f6a-4f5e-9a53-3f0d3f0e7a11',
  name: 'Remote',
  description: 'A policy from far away',
  topicDescription: 'Remote',
  policyTag: 'Tag_remote',
  status: 'PUBLISH',
  creator: 'did:example:far',
  owner: 'did:example:far',
  topicId: '0.0.4812345',
  messageId: '1773670899.000000001',
  codeVersion: '1.5.1',
  createDate: '2026-03-14T09:26:53.589Z',
  version: '1.0.0',
  policyRoles: ['Registrant'],
  categories: [],
  projectSchema: '00000000-0000-0000-0000-000000000000',
} as const;

const config = {
  id: '9b1c5d1e-0f6a-4f5e-9a53-3f0d3f0e7a11',
  blockType: 'interfaceContainerBlock',
  tag: 'root',
  permissions: ['ANY_ROLE'],
  defaultActive: true,
  children: [],
};

export const message = (messageId: string = requestId, policyId: string = policy.id): object => ({
  messageId,
  sender: { instance: 'far-away', did: 'did:example:far' },
  policyId,
  action: { type: 'import-policy', policy: { ...policy, id: policyId, config } },
});

/** What a caller sends in to approve it. */
export const record: PolicyRecord = {
  ...policy,
  policyRoles: [...policy.policyRoles],
  categories: [],
  userRole: 'No role',
  userRoles: ['No role'],
};

/** The fields that the interface marks as required, in its order. */
export const requiredFields = [
  ...['id', 'uuid', 'name', 'description', 'topicDescription', 'policyTag', 'status', 'creator', 'owner', 'topicId'],
  ...['messageId', 'codeVersion', 'createDate', 'version', 'userRole', 'userRoles', 'policyRoles', 'categories'],
  'projectSchema',
];
