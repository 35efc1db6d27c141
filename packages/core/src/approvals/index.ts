/** Requests of remote instances: inbox, state machine, approval. */
export { ApprovalService, type ApprovalTools } from './approval-service.js';
export { Inbox, type RequestFilter } from './inbox.js';
export { Outbox, type OutboxPorts } from './outbox.js';
export { RequestedActions } from './requested-actions.js';
