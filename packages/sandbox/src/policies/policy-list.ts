/** Policies as the reference lists them. */
import type { Caller, PolicyEngine, PolicyRecord } from '@blockwork/core';

/** Newest first, without configuration. Throws as `engine.listPolicies`. */
export async function policiesOf(engine: PolicyEngine, caller: Caller): Promise<PolicyRecord[]> {
  const all: PolicyRecord[] = [];
  for (;;) {
    // An answer has at most so many bytes as the engine allows, so a list may come in several.
    const { items, total } = await engine.listPolicies(caller, { offset: all.length, limit: PAGE });
    all.push(...items);
    if (items.length === 0 || all.length >= total) break;
  }
  // Stable, so that of policies made in one millisecond the later one comes first, too.
  return all.reverse().sort((a, b) => b.createDate.localeCompare(a.createDate));
}

const PAGE = 100;

/** With the members that clients of the reference read and the record may lack. */
export const publicRow = (policy: PolicyRecord): object => ({
  tools: [],
  userGroup: null,
  ...policy,
  _id: policy.id,
});
