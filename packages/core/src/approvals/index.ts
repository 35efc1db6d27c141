/** Requests of remote instances: link, inbox, states, decisions, and what this instance asks of others. */
export type { Question } from './asked-requests.js';
export type { ApprovalRule } from './auto-approval.js';
export { CommitWatch } from './commit-watch.js';
export { newInstanceKey, type Ed25519Jwk, type InstanceOptions } from './instance-identity.js';
export type { RefusalReason } from './refusal.js';
export type { RefusalReport, RefusedMessage } from './refused-messages.js';
export type { RequestCounts, RequestFilter, RequestPage, Viewer } from './request-list.js';
export { requestServices, type RequestServices } from './request-services.js';
export { joseSignatures, type Signatures } from './signatures.js';
export { TrustedPeers, type Peer } from './trusted-peers.js';
