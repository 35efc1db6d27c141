/** Policies as rows of answers. */
import type { Caller, PolicyRecord } from '@blockwork/core';
import { rolesIn } from '../policies/acting.js';
import { listedPolicies, publicRow } from '../policies/policy-list.js';
import type { Person } from '../requests/person.js';
import type { RouteDeps } from './route-deps.js';

type RowDeps = Pick<RouteDeps, 'engine' | 'trials'>;

/** The whole list of the caller, oldest first: the reference answers changes with it. */
export async function allRows(deps: RowDeps, person: Person): Promise<object[]> {
  return rowsOf(deps, person, await listedPolicies(deps.engine, person));
}

export const rowsOf = (deps: RowDeps, { caller }: Person, policies: readonly PolicyRecord[]): Promise<object[]> =>
  Promise.all(
    policies.map(async (policy) => publicRow(caller === null ? policy : await asActing(deps, caller, policy))),
  );

/** In a trial the owner sees the roles and groups of the virtual user who is active. */
export async function asActing(
  { engine, trials }: RowDeps,
  caller: Caller,
  policy: PolicyRecord,
): Promise<PolicyRecord> {
  const acting = policy.status === 'DRY-RUN' ? trials.activeFor(policy.id, caller) : undefined;
  if (acting === undefined) return policy;
  const { userGroup: _userGroup, ...rest } = policy;
  return { ...rest, ...(await rolesIn(engine, acting, policy.id)) };
}
