/**
 * Maps kinds of records to tables and columns. Explicit rather than derived from core's `indexedPaths`, since a column must keep
 * its meaning while rows exist. A path added in core needs a column here, and a migration if none is free.
 */
import type { RecordKind } from '@blockwork/core/adapter';
import { MISSING } from '../codec/equality-key.js';

/** A column with the key of the value at a path. */
export interface KeyColumn {
  readonly column: string;
  readonly path: string;
}

export interface Table {
  readonly name: 'document' | 'record';
  /** The columns of the primary key. */
  readonly address: readonly string[];
  /** Equality keys, of which a kind may use only some. */
  readonly keys: readonly string[];
  /** Sort keys, likewise. */
  readonly sorts: readonly string[];
}

export interface Layout {
  readonly table: Table;
  /**
   * The placeholder in a key column for a missing value. None for documents, whose sparse indexes skip nulls. Elsewhere it differs
   * per kind, so that the statistics of one kind do not distort those of another.
   */
  readonly missing: string | null;
  readonly keys: readonly KeyColumn[];
  readonly sorts: readonly KeyColumn[];
}

const documentKeys: readonly KeyColumn[] = [
  { column: 'data_type', path: 'dataType' },
  { column: 'schema', path: 'schema' },
  { column: 'type', path: 'type' },
  { column: 'status', path: 'option.status' },
  { column: 'owner', path: 'owner' },
  { column: 'owner_group', path: 'group' },
  { column: 'assigned_to', path: 'assignedTo' },
  { column: 'assigned_group', path: 'assignedToGroup' },
  { column: 'message_id', path: 'messageId' },
  { column: 'hash', path: 'hash' },
  { column: 'document_id', path: 'document.id' },
  { column: 'subject_id', path: 'document.credentialSubject.0.id' },
  { column: 'subject_ref', path: 'document.credentialSubject.0.ref' },
];
const documentSorts: readonly KeyColumn[] = [{ column: 'created', path: 'createDate' }];

/** The columns of the document tally, which is maintained on write: they have low cardinality in most policies. */
export const tallyColumns: readonly string[] = ['data_type', 'schema', 'type', 'status'];

export const documentTable: Table = {
  name: 'document',
  address: ['partition', 'id'],
  keys: documentKeys.map(({ column }) => column),
  sorts: documentSorts.map(({ column }) => column),
};

export const recordTable: Table = {
  name: 'record',
  address: ['partition', 'kind', 'id'],
  keys: ['k1', 'k2', 'k3', 'k4', 'k5', 'k6'],
  sorts: ['o1', 'o2'],
};

const inRecord = (keys: readonly string[], sorts: readonly string[] = []): Omit<Layout, 'missing'> => ({
  table: recordTable,
  keys: keys.map((path, at) => ({ column: `k${at + 1}`, path })),
  sorts: sorts.map((path, at) => ({ column: `o${at + 1}`, path })),
});

/** The first three keys are indexed, so the most selective ones come first. */
const columns: Readonly<Record<RecordKind, Omit<Layout, 'missing'>>> = {
  policy: inRecord(['uuid', 'policyTag', 'owner', 'status'], ['createDate']),
  'policy-origin': inRecord([]),
  configuration: inRecord([]),
  schema: inRecord([]),
  token: inRecord([]),
  artifact: inRecord([]),
  'archive-file': inRecord([]),
  tool: inRecord(['owner']),
  membership: inRecord(['did', 'uuid', 'groupName', 'role']),
  document: { table: documentTable, keys: documentKeys, sorts: documentSorts },
  'policy-edit': inRecord(['key'], ['id']),
  'document-state': inRecord(['documentId'], ['created']),
  'document-usage': inRecord([]),
  'block-state': inRecord(['user', 'tag']),
  'block-entry': inRecord(['key', 'tag']),
  completion: inRecord(['did', 'group', 'tag']),
  invitation: inRecord(['group']),
  identity: inRecord([]),
  'identity-key': inRecord(['did', 'member'], ['createDate']),
  'revoked-token': inRecord([], ['createDate', 'expiresAt']),
  journal: inRecord([], ['id']),
  'send-receipt': inRecord([]),
  'journal-archive': inRecord([], ['id']),
  'journal-tree': inRecord([]),
  'journal-tile': inRecord([]),
  timer: inRecord(['policyId', 'tag', 'type'], ['due']),
  'ledger-token': inRecord([]),
  'ledger-relation': inRecord(['accountId', 'tokenId']),
  'ledger-lot': inRecord(['accountId', 'tokenId']),
  'ledger-topic': inRecord(['name', 'owner']),
  'ledger-message': inRecord(['hash', 'topicId', 'relationships'], ['id']),
  'ledger-effect': inRecord(['tokenId', 'accountId', 'type']),
  'ledger-row': inRecord(['effectId', 'state']),
  'stream-event': inRecord(['stream', 'origin', 'instance'], ['position', 'announcedAt']),
  trial: inRecord([]),
  savepoint: inRecord([], ['createDate']),
  'savepoint-part': inRecord(['savepointId'], ['id']),
  'recorded-step': inRecord([], ['id']),
  notification: inRecord(['did', 'policyId'], ['createDate']),
  webhook: inRecord(['policyId', 'suspended']),
  'webhook-dead-letter': inRecord(['webhookId'], ['createDate']),
  settlement: inRecord(['policyId']),
  request: inRecord(
    ['startMessageId', 'status', 'concerns', 'policyId', 'type', 'direction'],
    ['expiresAt', 'receivedAt'],
  ),
  outbox: inRecord(['topic'], ['createdAt']),
  'policy-host': inRecord([]),
  'link-position': inRecord([]),
  'trusted-peer': inRecord([]),
  refusals: inRecord([]),
  'layer-state': inRecord([]),
};

const layouts = new Map<string, Layout>(
  Object.entries(columns).map(([kind, layout]) => [
    kind,
    { ...layout, missing: layout.table === documentTable ? null : `${MISSING} ${kind}` },
  ]),
);
const unknownKind: Layout = { ...inRecord([]), missing: null };

/** Records of kinds known only to a newer version are stored without an index. */
export const layoutOf = (kind: RecordKind): Layout => layouts.get(kind) ?? unknownKind;
