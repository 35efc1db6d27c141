/** Formats of identifiers, versions and timestamps, as the contract has them. */
export { messageId, timestamp, topicId, uuid, version } from '@blockwork/contract/records';

/** The UUID that stands for "none" where the interface requires one (`projectSchema` of a policy without). */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';
