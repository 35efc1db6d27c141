/** The blocks of a policy, as its author wrote them. */
import type { BlockSource } from '@blockwork/core/records';
import type { PolicyInUse } from './policy-seat.js';

/** Parents before children, in the order of the policy. */
export async function policyBlocks({ engine, owner, policyId }: PolicyInUse): Promise<BlockSource[]> {
  const { config } = await engine.getPolicy(owner, policyId);
  return withAllBelow(config as BlockSource);
}

const withAllBelow = (block: BlockSource): BlockSource[] => [block, ...block.children.flatMap(withAllBelow)];
