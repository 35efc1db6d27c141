/** The findings of a policy, in one shared query. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useClient } from '../api/server.js';
import type { Finding } from './finding.js';

export function useFindings(policyId: string): UseQueryResult<Finding[]> {
  const client = useClient();
  return useQuery({
    queryKey: ['findings', policyId],
    queryFn: async ({ signal }) => (await client.routes.listFindings({ policyId, signal })).data,
  });
}

/** By the UUID of the block. */
export function findingsByBlock(findings: readonly Finding[] = []): ReadonlyMap<string, readonly Finding[]> {
  const found = new Map<string, Finding[]>();
  for (const finding of findings) {
    if (finding.block === undefined) continue;
    found.set(finding.block, [...(found.get(finding.block) ?? []), finding]);
  }
  return found;
}
