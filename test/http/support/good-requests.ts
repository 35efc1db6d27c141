/** For every route of the contract a request that succeeds, from which the refused ones are made by one change. */
import type { PoliciesInEveryStatus } from './policies-in-every-status.js';
import type { EngineRouteName } from './routes.js';
import { policyArchive } from './policy-archive.js';
import { canceledId, record, rejectedId, requestId } from './remote-request.js';
import { blockIds } from './trial-policy.js';

export interface GoodRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly body?: string | Uint8Array;
}

const json = (body: unknown): { type: string; body: string } => ({
  type: 'application/json',
  body: JSON.stringify(body),
});

const external = { owner: 'did:example:owner', document: { type: ['VerifiableCredential'] } };

export const goodRequests = (
  policyId: string,
  policies: PoliciesInEveryStatus,
): Readonly<Record<EngineRouteName, GoodRequest>> => ({
  listPolicies: { params: {} },
  importPolicyFile: { params: {}, type: 'application/zip', body: policyArchive() },
  getPolicy: { params: { policyId } },
  listTokens: { params: { policyId } },
  listGroups: { params: { policyId } },
  switchGroup: { params: { policyId }, ...json({ uuid: null }) },
  getNavigation: { params: { policyId } },
  dryRunPolicy: { params: { policyId: policies.draft } },
  draftPolicy: { params: { policyId: policies.tried } },
  publishPolicy: { params: { policyId: policies.unpublished }, ...json({ policyVersion: '1.0.0' }) },
  discontinuePolicy: { params: { policyId: policies.published }, ...json({}) },
  listFindings: { params: { policyId } },
  readJournal: { params: { policyId } },
  sendExternalData: { params: {}, ...json({ ...external, policyTag: 'Trial' }) },
  sendExternalDataToBlock: { params: { policyId, tag: 'outside' }, ...json(external) },
  readRoot: { params: { policyId } },
  readBlock: { params: { policyId, uuid: blockIds.echo } },
  sendToBlock: { params: { policyId, uuid: blockIds.echo }, ...json({ hello: 1 }) },
  getBlockId: { params: { policyId, tag: 'echo' } },
  readBlockByTag: { params: { policyId, tag: 'echo' } },
  sendToBlockByTag: { params: { policyId, tag: 'echo' }, ...json({ hello: 1 }) },
  listRequests: { params: {} },
  countRequests: { params: {} },
  refusedMessages: { params: {} },
  getRequest: { params: { messageId: requestId } },
  approveRequest: { params: { messageId: requestId }, ...json(record) },
  rejectRequest: { params: { messageId: rejectedId }, ...json({ reason: 'no' }) },
  cancelRequest: { params: { messageId: canceledId } },
});
