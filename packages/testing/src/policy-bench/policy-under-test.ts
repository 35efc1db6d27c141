/** The policy under test: its engine and owner, and its blocks as written. */
import type { Accounts, Caller, PolicyEngine } from '@blockwork/core';
import type { BlockSource } from '@blockwork/core/records';

/** The engine and the policy that all sessions of a bench share. */
export interface PolicyUnderTest {
  readonly engine: PolicyEngine;
  readonly accounts: Accounts;
  readonly policyId: string;
  readonly owner: Caller;
}

/** All blocks in tree order. */
export async function policyBlocks({ engine, owner, policyId }: PolicyUnderTest): Promise<BlockSource[]> {
  const { config } = await engine.getPolicy(owner, policyId);
  return flatten(config as BlockSource);
}

const flatten = (block: BlockSource): BlockSource[] => [block, ...block.children.flatMap(flatten)];
