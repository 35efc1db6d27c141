/** Every kind of record that a store keeps, with its type. */
import type { BlockEntry } from './block-entry.js';
import type { BlockState, Completion } from './block-state.js';
import type { ArchiveFile, ArtifactRecord, SchemaRecord, TokenRecord } from './policies/bundle.js';
import type { DocumentRecord, DocumentState } from './document.js';
import type { DocumentUsageRecord } from './document-usage.js';
import type { IdentityKey, IdentityRecord, Invitation, RevokedToken } from './identity.js';
import type { JournalArchive, JournalEntry } from './journal.js';
import type {
  LedgerEffect,
  LedgerLot,
  LedgerMessage,
  LedgerToken,
  LedgerTopic,
  PendingEffect,
  TokenRelation,
} from './ledger.js';
import type { LinkPositionRecord, PolicyHost, Refusals, TrustedPeer } from './requests/link-records.js';
import type { Membership } from './policies/membership.js';
import type { StoredPolicy } from './policies/policy-record.js';
import type { OutboxMessage, RemoteRequest } from './requests/remote-request.js';
import type { ToolRecord } from './policies/tool.js';
import type { Notification } from './notification.js';
import type { PolicyConfiguration } from './policies/policy-configuration.js';
import type { PolicyOrigin } from './policies/policy-origin.js';
import type { SendReceipt } from './send-receipt.js';
import type { StreamEvent } from './stream-event.js';
import type { Timer } from './timer.js';
import type { RecordedStep, Savepoint, SavepointPart, TrialRecord } from './trial.js';
import type { DeadLetter, Webhook } from './webhook.js';

export interface RecordKinds {
  policy: StoredPolicy;
  'policy-origin': PolicyOrigin;
  configuration: PolicyConfiguration;
  schema: SchemaRecord;
  token: TokenRecord;
  artifact: ArtifactRecord;
  'archive-file': ArchiveFile;
  tool: ToolRecord;
  membership: Membership;
  document: DocumentRecord;
  'document-state': DocumentState;
  'document-usage': DocumentUsageRecord;
  'block-state': BlockState;
  'block-entry': BlockEntry;
  completion: Completion;
  invitation: Invitation;
  identity: IdentityRecord;
  'identity-key': IdentityKey;
  'revoked-token': RevokedToken;
  journal: JournalEntry;
  'journal-archive': JournalArchive;
  timer: Timer;
  'send-receipt': SendReceipt;
  'ledger-token': LedgerToken;
  'ledger-relation': TokenRelation;
  'ledger-lot': LedgerLot;
  'ledger-topic': LedgerTopic;
  'ledger-message': LedgerMessage;
  'ledger-effect': LedgerEffect;
  'stream-event': StreamEvent;
  trial: TrialRecord;
  savepoint: Savepoint;
  'savepoint-part': SavepointPart;
  'recorded-step': RecordedStep;
  notification: Notification;
  webhook: Webhook;
  'webhook-dead-letter': DeadLetter;
  settlement: PendingEffect;
  request: RemoteRequest;
  outbox: OutboxMessage;
  'policy-host': PolicyHost;
  'link-position': LinkPositionRecord;
  'trusted-peer': TrustedPeer;
  refusals: Refusals;
}

export type RecordKind = keyof RecordKinds;

/** The partition of records that belong to no single policy: the policies themselves, the inbox, the outbox. */
export const INSTANCE = 'instance';
