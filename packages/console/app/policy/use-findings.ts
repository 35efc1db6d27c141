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
  const byBlock = new Map<string, Finding[]>();
  for (const finding of findings) {
    if (finding.block === undefined) continue;
    byBlock.set(finding.block, [...(byBlock.get(finding.block) ?? []), finding]);
  }
  return byBlock;
}
