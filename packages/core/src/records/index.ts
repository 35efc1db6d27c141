/** Everything that is stored or crosses the wire: schemas, types, and the rules of selecting records. */
export * from './json.js';
export * from './identifiers.js';
export * from './message-order.js';
export * from './enumerations.js';
export * from './group-membership.js';
export * from './navigation.js';
export * from './policy-topic.js';
export * from './policy-token.js';
export * from './policy-group.js';
export * from './policy-test.js';
export * from './pagination-state.js';
export * from './error-body.js';
export * from './policy-record.js';
export * from './policy-configuration.js';
export * from './membership.js';
export * from './document.js';
export * from './block-state.js';
export * from './block-entry.js';
export * from './identity.js';
export * from './journal.js';
export * from './ledger.js';
export * from './timer.js';
export * from './bundle.js';
export {
  instanceName,
  requestMessage,
  requestedAction,
  requestType,
  sender,
  type OutboxMessage,
  type RemoteRequest,
  type RequestClosing,
  type RequestMessage,
  type RequestStep,
  type RequestType,
  type RequestedAction,
  type ResumePoint,
  type Sender,
} from './remote-request.js';
export * from './instance-message.js';
export * from './link-records.js';
export * from './path.js';
export * from './condition.js';
export * from './order.js';
export * from './kinds.js';
