/** For every route of the contract a request that succeeds, from which the refused ones are made by one change. */
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

export const goodRequests = (policyId: string): Readonly<Record<EngineRouteName, GoodRequest>> => ({
  listPolicies: { params: {} },
  importPolicyFile: { params: {}, type: 'application/zip', body: policyArchive() },
  getPolicy: { params: { policyId } },
  listTokens: { params: { policyId } },
  listGroups: { params: { policyId } },
  switchGroup: { params: { policyId }, ...json({ uuid: null }) },
  getNavigation: { params: { policyId } },
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
