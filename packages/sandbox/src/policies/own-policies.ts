/** The policies of a registry, for what it does to their parts. */
import type { Caller, PolicyEngine, PolicyRecord } from '@blockwork/core';
import { newestFirst, policiesOf } from './policy-list.js';

/** Drafts first, since they are what is worked on, and the newest of them first. */
export async function ownPolicies(engine: PolicyEngine, caller: Caller): Promise<PolicyRecord[]> {
  const own = newestFirst(await policiesOf(engine, caller)).filter(({ owner }) => owner === caller.did);
  const isDraft = ({ status }: PolicyRecord): boolean => status === 'DRAFT';
  return [...own.filter(isDraft), ...own.filter((policy) => !isDraft(policy))];
}

/** `undefined` if no policy of the caller has the topic. */
export const ownPolicyWithTopic = async (
  engine: PolicyEngine,
  caller: Caller,
  topicId: string,
): Promise<PolicyRecord | undefined> =>
  (await ownPolicies(engine, caller)).find((policy) => policy.topicId === topicId);
