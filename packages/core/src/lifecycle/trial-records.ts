/** What a trial leaves behind: everything in a policy but the policy itself. */
import { INSTANCE } from '../records/index.js';
import type { RecordKind } from '../records/index.js';
import type { UnitOfWork } from '../transactions/index.js';

const kinds: readonly RecordKind[] = [
  'membership',
  'invitation',
  'document',
  'document-state',
  'block-state',
  'block-entry',
  'completion',
  'journal',
  'ledger-token',
  'ledger-relation',
  'ledger-lot',
  'ledger-topic',
  'ledger-message',
  'ledger-effect',
];

export async function clearTrial(unit: UnitOfWork, policyId: string): Promise<void> {
  for (const kind of kinds) {
    for (const { id } of await unit.find(kind, policyId)) unit.delete(kind, policyId, id);
  }
  const where = { path: 'policyId', op: 'eq', value: policyId } as const;
  for (const { id } of await unit.find('notification', INSTANCE, { where })) unit.delete('notification', INSTANCE, id);
}
