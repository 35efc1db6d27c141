/** Requests that the engine sets timers again, for the policies whose timers a repair gives up. */
import { restoreTimer } from '@blockwork/core/adapter';
import { INSTANCE } from '@blockwork/core/records';
import { isSeparated, policyIdOfTable } from '../manifest/table-kind.js';
import type { Damage } from './open-report.js';
import type { RecoveredState } from './recovered-state.js';

/** The requests are written by the same checkpoint as the remaining records, so each is made exactly once. */
export function restoreGivenUpTimers(state: RecoveredState): void {
  const policyIds = new Set(state.damage.flatMap((damage) => policiesOf(damage, state)));
  const changes = [...policyIds].map((policyId) => {
    const value = restoreTimer(policyId);
    return { op: 'put' as const, kind: 'timer' as const, partition: INSTANCE, value };
  });
  state.apply({ expect: {}, changes }, 0);
}

/** Without a table, it is unknown what was lost, so all policies are affected. */
function policiesOf({ table }: Damage, { tables }: RecoveredState): string[] {
  const policyId = table && policyIdOfTable(table.kind);
  if (policyId) return [policyId];
  if (table !== undefined && !isSeparated(table.kind, table.partition)) return [];
  return tables.values('policy', INSTANCE).map(({ id }) => id);
}
