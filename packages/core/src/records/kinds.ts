/** Every kind of record that a store keeps, with its type. */
import { z } from 'zod';
import type { BlockEntry } from './block-entry.js';
import type { BlockState, Completion } from './block-state.js';
import type { DocumentUsageRecord } from './document-usage.js';
import { uuid } from './identifiers.js';
import type { IdentityKey, IdentityRecord, Invitation, RevokedToken } from './identity.js';
import type { JournalArchive, JournalEntry, JournalTile, JournalTree } from './journal.js';
import { isObject, type Json, type JsonObject } from './json/json.js';
import type {
  LedgerEffect,
  LedgerLot,
  LedgerMessage,
  LedgerRow,
  LedgerToken,
  LedgerTopic,
  PendingEffect,
  TokenRelation,
} from './ledger.js';
import type { Notification } from './notification.js';
import type { Membership } from './policies/membership.js';
import type { PolicyEdit } from './policies/policy-edit.js';
import type { PolicyOrigin } from './policies/policy-origin.js';
import type { StoredPolicy } from './policies/policy-record.js';
import type {
  ArchiveFile,
  ArtifactRecord,
  PolicyConfiguration,
  SchemaRecord,
  TokenRecord,
  ToolRecord,
} from './policies/tool.js';
import type { LinkPositionRecord, PolicyHost, Refusals, TrustedPeer } from './requests/link-records.js';
import type { OutboxMessage, RemoteRequest } from './requests/remote-request.js';
import type { SendReceipt } from './send-receipt.js';
import type { StreamEvent } from './stream-event.js';
import type { RecordedStep, Savepoint, SavepointPart, TrialRecord } from './trial.js';
import type { DeadLetter, Webhook } from './webhook.js';

export interface RecordKinds {
  policy: StoredPolicy;
  'policy-origin': PolicyOrigin;
  configuration: PolicyConfiguration;
  'policy-edit': PolicyEdit;
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
  'journal-tree': JournalTree;
  'journal-tile': JournalTile;
  timer: Timer;
  'send-receipt': SendReceipt;
  'ledger-token': LedgerToken;
  'ledger-relation': TokenRelation;
  'ledger-lot': LedgerLot;
  'ledger-topic': LedgerTopic;
  'ledger-message': LedgerMessage;
  'ledger-effect': LedgerEffect;
  'ledger-row': LedgerRow;
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
  'layer-state': LayerState;
}

export type RecordKind = keyof RecordKinds;

/** The partition of records that belong to no single policy: the policies themselves, the inbox, the outbox. */
export const INSTANCE = 'instance';

/** What a layer in front of the interface keeps over a restart, under its name. */
export interface LayerState {
  id: string;
  content: JsonObject;
}

export type Timer = TickTimer | RetryTimer | StatusTimer | RestoreTimer;

interface Due {
  /** `<policyId>/<type>`, and for those of a block `/` and more: `policyIdOfTimer` reads it. */
  id: string;
  policyId: string;
  /** Milliseconds since 1970. */
  due: number;
}

/** The next tick of a block with a timetable; one per such block of a running policy. */
export interface TickTimer extends Due {
  type: 'tick';
  tag: string;
}

/** An event that a block failed on and that the policy retries. */
export interface RetryTimer extends Due {
  type: 'retry';
  tag: string;
  attempt: number;
  event: {
    input: string;
    output: string;
    source: string;
    data: Json;
    /** What rode along with the event; absent where there was nothing. */
    carried?: Json;
    user: { did: string; group: string | null };
  };
}

/** The date at which a policy is discontinued. */
export interface StatusTimer extends Due {
  type: 'discontinue';
}

/** The store has dropped timers of the policy: those that its blocks and its record declare are set again. */
export interface RestoreTimer extends Due {
  type: 'restore';
}

export const restoreTimer = (policyId: string): RestoreTimer => ({
  id: `${policyId}/restore`,
  type: 'restore',
  policyId,
  due: 0,
});

/** `undefined` where the id does not say it without doubt, as of a policy whose own id has a slash. */
export const policyIdOfTimer = (id: string): string | undefined =>
  /^([^/]+)\/(?:tick\/|retry\/|(?:discontinue|restore)$)/.exec(id)?.[1];

/** The collections that a document source can name; every document is in exactly one. */
export const documentCollection = z.enum(['vc-documents', 'vp-documents', 'did-documents', 'approve']);
export type DocumentCollection = z.infer<typeof documentCollection>;

const json = z.custom<JsonObject>(isObject, 'must be an object');

/** A document as an embedder passes it in; the engine fills in what is missing. */
export const documentInput = z.looseObject({
  id: z.string().min(1).max(200).optional(),
  /** Derived from the document's `type` when absent. */
  dataType: documentCollection.optional(),
  /** Identity of the owner, normally a DID. */
  owner: z.string().min(1),
  group: uuid.nullish(),
  assignedTo: z.string().nullish(),
  assignedToGroup: uuid.nullish(),
  /** IRI of the schema, `#<uuid>` or `#<uuid>&<version>`. */
  schema: z.string().optional(),
  /** The entity type that the policy's filters ask for. */
  type: z.string().optional(),
  option: json.optional(),
  document: json,
  relationships: z.array(z.string()).optional(),
  messageId: z.string().nullish(),
  topicId: z.string().nullish(),
  hash: z.string().optional(),
  createDate: z.iso.datetime().optional(),
});
export type DocumentInput = z.infer<typeof documentInput>;

/** Documents are JSON, though the type of their further fields does not say so. */
export const asJson = (value: Json | DocumentInput | readonly DocumentInput[]): Json => value as Json;

/** A stored document. Other fields are kept unchanged. */
export interface DocumentRecord extends DocumentInput {
  id: string;
  policyId: string;
  dataType: DocumentCollection;
  option: JsonObject;
  createDate: string;
  updateDate: string;
}

/** History of a document's `option`, written from its first change on and including the state before it. */
export interface DocumentState {
  id: string;
  documentId: string;
  option: JsonObject;
  /** The comment given with this change, if any. */
  comment?: string;
  created: string;
}
