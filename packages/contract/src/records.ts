/** `@blockwork/contract/records`: the records that the engine stores and the interface shows alike, as schemas. */
export * from './records/enumerations.js';
export { errorBody, errorDetail } from './records/error-body.js';
export * from './records/identifiers.js';
export * from './records/policy-parts.js';
export { policyRecord } from './records/policy-record.js';
export { instanceName, requestedAction, sender } from './records/requested-action.js';
export { type WrittenMember, writtenMembers } from './records/written-members.js';
