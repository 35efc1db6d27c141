/** The paths that every store indexes, declared once for all adapters. */
import type { RecordKind } from '../records/index.js';

export interface IndexedPaths {
  /** Paths that queries compare with `eq` or `in`. */
  readonly equality: readonly string[];
  /** Paths that queries order by. */
  readonly order: readonly string[];
}

const none: IndexedPaths = { equality: [], order: [] };

export const indexedPaths: Readonly<Record<RecordKind, IndexedPaths>> = {
  policy: { equality: ['owner', 'status', 'policyTag', 'uuid'], order: ['createDate'] },
  'policy-origin': none,
  configuration: none,
  'policy-edit': { equality: ['key'], order: ['id'] },
  schema: none,
  token: none,
  artifact: none,
  'archive-file': none,
  tool: { equality: ['owner'], order: [] },
  membership: { equality: ['did', 'uuid', 'role', 'groupName'], order: [] },
  document: {
    equality: [
      'dataType',
      'owner',
      'group',
      'assignedTo',
      'assignedToGroup',
      'schema',
      'type',
      'option.status',
      'messageId',
      'hash',
      'document.id',
      'document.credentialSubject.0.id',
      'document.credentialSubject.0.ref',
    ],
    order: ['createDate'],
  },
  'document-state': { equality: ['documentId'], order: ['created'] },
  'document-usage': none,
  'block-state': { equality: ['tag', 'user'], order: [] },
  'block-entry': { equality: ['tag', 'key'], order: [] },
  completion: { equality: ['tag', 'did', 'group'], order: [] },
  invitation: { equality: ['group'], order: [] },
  identity: none,
  'identity-key': { equality: ['did', 'member'], order: ['createDate'] },
  'revoked-token': { equality: [], order: ['createDate', 'expiresAt'] },
  journal: { equality: [], order: ['id'] },
  'journal-archive': { equality: [], order: ['id'] },
  'journal-tree': none,
  'journal-tile': none,
  timer: { equality: ['policyId', 'type', 'tag'], order: ['due'] },
  'send-receipt': none,
  'ledger-token': none,
  'ledger-relation': { equality: ['tokenId', 'accountId'], order: [] },
  'ledger-lot': { equality: ['tokenId', 'accountId'], order: [] },
  'ledger-topic': { equality: ['name', 'owner'], order: [] },
  'ledger-message': { equality: ['topicId', 'hash', 'relationships'], order: ['id'] },
  'ledger-effect': { equality: ['type', 'tokenId', 'accountId'], order: [] },
  'ledger-row': { equality: ['effectId', 'state'], order: [] },
  'stream-event': { equality: ['stream', 'origin', 'instance'], order: ['position', 'announcedAt'] },
  trial: none,
  savepoint: { equality: [], order: ['createDate'] },
  'savepoint-part': { equality: ['savepointId'], order: ['id'] },
  'recorded-step': { equality: [], order: ['id'] },
  notification: { equality: ['did', 'policyId'], order: ['createDate'] },
  webhook: { equality: ['policyId', 'suspended'], order: [] },
  'webhook-dead-letter': { equality: ['webhookId'], order: ['createDate'] },
  settlement: { equality: ['policyId'], order: [] },
  request: {
    equality: ['policyId', 'status', 'type', 'direction', 'startMessageId', 'concerns'],
    order: ['receivedAt', 'expiresAt'],
  },
  outbox: { equality: ['topic'], order: ['createdAt'] },
  'policy-host': none,
  'link-position': none,
  'trusted-peer': none,
  refusals: none,
  'layer-state': none,
};
