/** Everything that is stored or sent: schemas, types, and how records are selected. */
export * from './json/json.js';
export { canonicalJson } from './json/canonical-json.js';
export * from './json/json-bytes.js';
export { notJson, type NotJson } from './json/not-json.js';
export * from './identifiers.js';
export * from './requests/message-order.js';
export * from './enumerations.js';
export * from './policies/policy-record.js';
export * from './pagination-state.js';
export * from './error-body.js';
export * from './policies/tool.js';
export * from './policies/policy-edit.js';
export * from './policies/policy-origin.js';
export * from './policies/membership.js';
export * from './kinds.js';
export * from './document-usage.js';
export * from './block-state.js';
export * from './block-entry.js';
export * from './identity.js';
export * from './journal.js';
export * from './ledger.js';
export * from './notification.js';
export * from './send-receipt.js';
export * from './stream-event.js';
export * from './secret-reference.js';
export * from './trial.js';
export * from './webhook.js';
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
} from './requests/remote-request.js';
export * from './requests/instance-message.js';
export * from './requests/link-records.js';
export * from './json/path.js';
export * from './json/condition.js';
export { conditionKey } from './json/condition-key.js';
export * from './json/order.js';
