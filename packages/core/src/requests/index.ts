/** Requests between instances: those that others send to this one, and those that it sends to them. */
export { ApprovalService } from './approval-service.js';
export { type ApprovalRule, AutoApproval } from './auto-approval.js';
export { Expiry } from './expiry.js';
export { Inbox } from './inbox.js';
export { Connection } from './messaging/connection.js';
export { Envelopes } from './messaging/envelopes.js';
export {
  type Ed25519Jwk,
  type InstanceIdentity,
  instanceIdentity,
  type InstanceOptions,
  newInstanceKey,
} from './messaging/instance-identity.js';
export { OutgoingMessages } from './messaging/outgoing-messages.js';
export { Receiver } from './messaging/receiver.js';
export type { RefusalReason } from './messaging/refusal.js';
export { type RefusalReport, type RefusedMessage, RefusedMessages } from './messaging/refused-messages.js';
export { jwsSignatures, type Signatures } from './messaging/signatures.js';
export { peersFrom as givenPeers, type GivenPeers, type Peer, TrustedPeers } from './messaging/trusted-peers.js';
export { OutgoingRequests, type RequestInput } from './outgoing-requests.js';
export { PeerQuota } from './peer-quota.js';
export { Reconciliation } from './reconciliation.js';
export { type ArchiveRequests, RequestArchive } from './request-archive.js';
export { RequestCloser } from './outgoing-requests.js';
export { type RequestCounts, type RequestFilter, RequestList, type RequestPage, type Viewer } from './request-list.js';
export { RequestWaiters } from './request-waiters.js';
export { RequestedActions } from './requested-actions.js';
export { Resumption } from './resumption.js';
export { PeerStreams } from './peer-streams.js';
export { type StreamOptions, StreamShares } from './stream-shares.js';
export { SubmittedRequests } from './submitted-requests.js';
