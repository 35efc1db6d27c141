/** The history of a draft goes on where the revision of its definition changes without the definition, as by a trial. */
import type { PolicyEdit } from '../records/index.js';
import { revisionKeys, type UnitOfWork } from '../transactions/index.js';

/** As ids of edits: they sort as the numbers do. */
export const revisionId = (revision: number): string => String(revision).padStart(12, '0');

/** The last revision of the definition that is as the edit left it. */
export const lastRevisionOf = ({ id, until }: PolicyEdit): string => until ?? id;

/** For a unit of work that changes the policy and leaves its definition as it is. */
export async function carryEditsAcross(unit: UnitOfWork, policyId: string): Promise<void> {
  const revision = unit.expected(revisionKeys.definition.of(policyId));
  const [last] = await unit.find('policy-edit', policyId, { order: { path: 'id', direction: 'desc' }, limit: 1 });
  if (last === undefined || lastRevisionOf(last) !== revisionId(revision)) return;
  unit.put('policy-edit', policyId, { ...last, until: revisionId(revision + 1) });
}
