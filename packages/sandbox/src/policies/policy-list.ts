/** Policy lists in the reference's format. */
import type { Caller, PolicyEngine, PolicyRecord } from '@blockwork/core';
import { statusIs } from '@blockwork/core/records';
import type { Person } from '../requests/person.js';

/** All that the engine shows to the caller, oldest first, without configuration. Throws as `engine.listPolicies`. */
export async function policiesOf(engine: PolicyEngine, caller: Caller): Promise<PolicyRecord[]> {
  const all: PolicyRecord[] = [];
  for (;;) {
    // The engine limits the size of a response, so a list may be split into several.
    const { items, total } = await engine.listPolicies(caller, { offset: all.length, limit: PAGE });
    all.push(...items);
    if (items.length === 0 || all.length >= total) return all;
  }
}

/**
 * What the reference lists, oldest first: for a registry its own policies, for an auditor everything published, for a user
 * what their registry has published. Callers with foreign tokens get what the engine shows them, and an account without a
 * DID nothing.
 */
export async function listedPolicies(
  engine: PolicyEngine,
  { account, caller }: Pick<Person, 'account' | 'caller'>,
): Promise<PolicyRecord[]> {
  if (caller === null) return [];
  const all = await policiesOf(engine, caller);
  if (account === null) return all;
  if (account.role === 'STANDARD_REGISTRY') return all.filter(({ owner }) => owner === caller.did);
  const { role, parent } = account;
  return all.filter(
    (policy) => isPublished(policy) && (role === 'AUDITOR' || parent === null || policy.owner === parent),
  );
}

/** What a registry offers to everybody, oldest first. */
export const publishedBy = async (engine: PolicyEngine, did: string): Promise<PolicyRecord[]> =>
  (await policiesOf(engine, { did, role: 'STANDARD_REGISTRY' })).filter(
    (policy) => policy.owner === did && isPublished(policy),
  );

/** Lists are newest first; answers to a change have the order of creation. */
export const newestFirst = (oldestFirst: readonly PolicyRecord[]): PolicyRecord[] =>
  // Stable sort: policies created in the same millisecond are also newest first.
  [...oldestFirst].reverse().sort((a, b) => b.createDate.localeCompare(a.createDate));

const isPublished = ({ status }: PolicyRecord): boolean => statusIs(status, 'published');

const PAGE = 100;

/** With the members that clients of the reference read and the record may lack. */
export const publicRow = (policy: PolicyRecord): object => ({
  tools: [],
  userGroup: null,
  ...policy,
  _id: policy.id,
});
