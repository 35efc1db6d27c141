/** Requests between instances: what others ask of this one, and what it asks of them. */
export type { RequestInput } from './outgoing-requests.js';
export type { ApprovalRule } from './auto-approval.js';
export { type Ed25519Jwk, type InstanceOptions, newInstanceKey } from './messaging/instance-identity.js';
export type { RefusalReason } from './messaging/refusal.js';
export type { RefusalReport, RefusedMessage } from './messaging/refused-messages.js';
export { joseSignatures, type Signatures } from './messaging/signatures.js';
export { type Peer, TrustedPeers } from './messaging/trusted-peers.js';
export type { RequestCounts, RequestFilter, RequestPage, Viewer } from './request-list.js';
export { requestServices, type RequestServices } from './request-services.js';
