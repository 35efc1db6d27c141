/** Everything that a store holds of one policy and of the instance, to be compared. */
import type { PolicyStore } from '@blockwork/core';
import { INSTANCE, type RecordKind } from '@blockwork/core/records';

const kinds = Object.keys({
  policy: true,
  'policy-origin': true,
  configuration: true,
  'policy-edit': true,
  schema: true,
  token: true,
  artifact: true,
  'archive-file': true,
  tool: true,
  membership: true,
  document: true,
  'document-state': true,
  'document-usage': true,
  'stream-event': true,
  'block-state': true,
  'block-entry': true,
  completion: true,
  invitation: true,
  identity: true,
  'identity-key': true,
  'revoked-token': true,
  journal: true,
  'journal-archive': true,
  'journal-tree': true,
  'journal-tile': true,
  timer: true,
  'send-receipt': true,
  'ledger-token': true,
  'ledger-lot': true,
  'ledger-relation': true,
  'ledger-topic': true,
  'ledger-message': true,
  'ledger-effect': true,
  'ledger-row': true,
  trial: true,
  savepoint: true,
  'savepoint-part': true,
  'recorded-step': true,
  notification: true,
  webhook: true,
  'webhook-dead-letter': true,
  settlement: true,
  request: true,
  outbox: true,
  'policy-host': true,
  'link-position': true,
  'trusted-peer': true,
  refusals: true,
  'layer-state': true,
} satisfies Record<RecordKind, true>) as RecordKind[];

/** As JSON text, kind after kind: whatever differs by one byte differs here. */
export async function wholeStore(store: PolicyStore, policyId: string): Promise<Record<string, string>> {
  const whole: Record<string, string> = { revision: String(await store.revision(policyId)) };
  for (const kind of kinds) {
    for (const partition of [policyId, INSTANCE]) {
      const records = await store.find(kind, partition);
      if (records.length > 0) whole[`${kind} of ${partition}`] = JSON.stringify(records);
    }
  }
  return whole;
}
