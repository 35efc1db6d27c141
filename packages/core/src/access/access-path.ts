/** Static access analysis: what a user needs to reach a block, without a running policy. */
import { isSwitched, type BlockNode } from '../policy/index.js';
import { lineOf } from './availability.js';
import { isPermitted } from './block-permission.js';
import type { PolicyUser } from './policy-user.js';

export interface AccessStep {
  readonly block: BlockNode;
  readonly isPermitted: boolean;
  /** Conditions that are decided while the policy runs, as sentences. */
  readonly conditions: readonly string[];
}

export interface AccessPath {
  /** `conditional`: permitted, and open once the conditions are met. `inactive`: switched off for all users. */
  readonly outcome: 'allowed' | 'conditional' | 'inactive' | 'forbidden';
  /** From the root to the block. */
  readonly steps: readonly AccessStep[];
}

/** @param user only `role` and `isOwner` matter. `decides`: whether a block opens one child at a time. */
export function accessPath(
  block: BlockNode,
  user: Pick<PolicyUser, 'role' | 'isOwner'>,
  decides: (parent: BlockNode) => boolean,
): AccessPath {
  const line = lineOf(block);
  const steps = line.map((node) => ({
    block: node,
    isPermitted: isPermitted(node.permissions, user),
    conditions: conditionsOf(node, decides),
  }));
  if (steps.some((step) => !step.isPermitted)) return { outcome: 'forbidden', steps };
  if (line.some((node) => !node.defaultActive && isSwitched(node))) return { outcome: 'inactive', steps };
  return { outcome: steps.some(({ conditions }) => conditions.length > 0) ? 'conditional' : 'allowed', steps };
}

function conditionsOf(node: BlockNode, decides: (parent: BlockNode) => boolean): string[] {
  const { parent } = node;
  return [
    ...(!node.defaultActive && isSwitched(node) ? [`"${node.tag}" is switched off (defaultActive)`] : []),
    ...(parent !== null && decides(parent) ? [`"${parent.tag}" has to be at its child "${node.tag}"`] : []),
    ...node.dependencies.map(({ tag }) => `"${tag}" has to be completed first`),
  ];
}
