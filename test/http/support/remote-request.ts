/** A request of a remote instance to take over a policy, and the record that approves it. */
import { INSTANCE } from '@blockwork/core/records';
import type { PolicyRecord, RemoteRequest } from '@blockwork/core';
import type { ChangeSet } from '@blockwork/core/adapter';

export const requestId = '1773670900.819264517';
/** Of the same sender, to be refused. */
export const rejectedId = '1773670900.819264599';
/** Of what this instance asked, and took back. */
export const canceledId = '1773670900.819264517000000001';

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

const canceled: RemoteRequest = {
  id: canceledId,
  messageId: canceledId,
  startMessageId: canceledId,
  direction: 'outgoing',
  type: 'send-data',
  policyId: policy.id,
  sender: { instance: 'here', did: 'did:example:owner' },
  to: 'far-away',
  recipient: null,
  concerns: 'did:example:owner',
  action: { type: 'send-data', tag: 'echo', user: { did: 'did:example:owner' }, data: {} },
  receivedAt: '2026-03-14T09:26:53.589Z',
  expiresAt: '2027-03-14T09:26:53.589Z',
  status: 'CANCELED',
  history: [
    { status: 'NEW', at: '2026-03-14T09:26:53.589Z', by: 'did:example:owner' },
    { status: 'CANCELED', at: '2026-03-14T09:26:54.589Z', by: 'here' },
  ],
  closed: { by: 'here', at: '2026-03-14T09:26:54.589Z' },
};

/** Puts it into a store. */
export const canceledChange: ChangeSet = {
  expect: {},
  changes: [{ op: 'put', kind: 'request', partition: INSTANCE, value: canceled }],
};
