/** Every kind of record that a store keeps, with its type. */
import type { BlockState, Completion } from './block-state.js';
import type { ArtifactRecord, SchemaRecord, TokenRecord } from './bundle.js';
import type { DocumentRecord, DocumentState } from './document.js';
import type { LinkPositionRecord, PolicyHost } from './link-records.js';
import type { Membership } from './membership.js';
import type { StoredPolicy } from './policy-record.js';
import type { OutboxMessage, RemoteRequest } from './remote-request.js';
import type { PolicyConfiguration } from './policy-configuration.js';

export interface RecordKinds {
  policy: StoredPolicy;
  configuration: PolicyConfiguration;
  schema: SchemaRecord;
  token: TokenRecord;
  artifact: ArtifactRecord;
  membership: Membership;
  document: DocumentRecord;
  'document-state': DocumentState;
  'block-state': BlockState;
  completion: Completion;
  request: RemoteRequest;
  outbox: OutboxMessage;
  'policy-host': PolicyHost;
  'link-position': LinkPositionRecord;
}

export type RecordKind = keyof RecordKinds;

/** The partition of what belongs to no single policy: the policies themselves, the inbox, the outbox. */
export const INSTANCE = 'instance';
