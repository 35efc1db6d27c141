/** The data a block can access: documents, memberships, credentials, the ledger and the trial of one policy. */
export { BlockEntries, WritableBlockEntries } from './block-entries.js';
export { BlockMemory, WritableBlockMemory } from './block-state.js';
export { DocumentUsage } from './document-usage.js';
export { switchGroup } from './group-switch.js';
export { memberOfDevice } from './member-devices.js';
export { PolicyLedger, PolicyLedgerWriter } from './ledger/policy-ledger.js';
export { publishedSchema } from './ledger/published-schemas.js';
export { publishedTools } from './ledger/published-tools.js';
export { linkedHash, publishedContexts, type Proofs, type SchemaSource } from './linked-hash.js';
export { PolicyCredentials, PolicyCredentialsWriter } from './policy-credentials.js';
export { PolicyDefinitions } from './policy-definitions.js';
export { type DocumentWriterDeps, PolicyDocuments, PolicyDocumentsWriter } from './policy-documents.js';
export { membershipsOf, membershipsOfEach, PolicyMemberships, PolicyMembershipsWriter } from './policy-memberships.js';
export { type NotificationDeps, PolicyNotifications } from './policy-notifications.js';
export { PolicySecrets } from './policy-secrets.js';
export { newestPosition, type PeerAnnouncer, PolicyStreams, type StreamDeps } from './policy-streams.js';
export { PolicyUsers } from './policy-users.js';
export { journalEntry, journalId, RunLog } from './run-log.js';
export {
  clearTrial,
  deleteSavepoint,
  deleteTimers,
  forgetTrials,
  type RemovedRecords,
  trialKinds,
} from './trial/trial-records.js';
export { assertTrial, journal, recordFromNow, trialOf } from './trial/trial-state.js';
