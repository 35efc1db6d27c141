/** Policy lists in the reference's format. */
import type { Caller, PolicyEngine, PolicyRecord } from '@blockwork/core';

/** Newest first, without configuration. Throws as `engine.listPolicies`. */
export async function policiesOf(engine: PolicyEngine, caller: Caller): Promise<PolicyRecord[]> {
  const all: PolicyRecord[] = [];
  for (;;) {
    // The engine limits the size of a response, so a list may be split into several.
    const { items, total } = await engine.listPolicies(caller, { offset: all.length, limit: PAGE });
    all.push(...items);
    if (items.length === 0 || all.length >= total) break;
  }
  // Stable sort: policies created in the same millisecond are also newest first.
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
