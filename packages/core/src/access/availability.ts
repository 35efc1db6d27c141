/** Block availability: one decision with its reason, shared by callers, tests and transports (Promise 20). */
import { isSwitched, type BlockNode } from '../policy/index.js';
import { isPermitted } from './block-permission.js';
import type { PolicyUser } from './policy-user.js';

export type Availability =
  { readonly outcome: 'allowed' } | { readonly outcome: 'unknown' | 'forbidden' | 'inactive'; readonly reason: string };

/** What the decision needs to know about the running policy. */
export interface ActivityReader {
  /** Whether the parent restricts which of its children are open. Most do not, which saves the call. */
  decides(parent: BlockNode): boolean;
  /** Whether the parent opens this child to the user. */
  isOpenIn(parent: BlockNode, child: BlockNode): Promise<boolean>;
  /** Whether the block completed for the user or their group. */
  hasCompleted(block: BlockNode): Promise<boolean>;
}

const allowed: Availability = { outcome: 'allowed' };

/**
 * Why a user cannot reach a block. `role`: the block is not for their role. `group`: it is for their role in a group
 * that is not active. `hidden`: the addon is switched off. `step`: the parent is at another child. `dependency`:
 * another block has not completed.
 */
export type ObstacleCause = 'role' | 'group' | 'hidden' | 'step' | 'dependency';

export interface Obstacle {
  readonly cause: ObstacleCause;
  /** A clause, as in the decision's reason. */
  readonly reason: string;
}

/** One block on the path from the root, and its part in the decision. */
export interface DecisionStep {
  readonly block: BlockNode;
  readonly isPermitted: boolean;
  /** `null` if permissions already decide. */
  readonly isActive: boolean | null;
  readonly obstacle: Obstacle | null;
}

export interface ExplainedAvailability {
  readonly decision: Availability;
  /** From the root to the block. */
  readonly steps: readonly DecisionStep[];
}

/**
 * Checks the permissions of the block and all its ancestors first, so that "not now" never reveals a block that is not
 * for the user. Then checks activity from the root down: the current child of a step, switched-off addons, completed
 * dependencies.
 */
export async function availability(
  block: BlockNode,
  user: PolicyUser,
  activity: ActivityReader,
): Promise<Availability> {
  const line = lineOf(block);
  for (const node of line) {
    if (!isPermitted(node.permissions, user)) return forbidden(node, block, user);
  }
  for (const node of line) {
    if (isPlain(node, activity)) continue;
    const obstacle = await inactivity(node, activity);
    if (obstacle !== null) return { outcome: 'inactive', reason: obstacle.reason };
  }
  return allowed;
}

/**
 * The same decision with each step. `otherRoles` are the user's roles in inactive groups. Activity is disclosed only if
 * the block is permitted.
 */
export async function explainedAvailability(
  block: BlockNode,
  user: PolicyUser,
  otherRoles: readonly string[],
  activity: ActivityReader,
): Promise<ExplainedAvailability> {
  const line = lineOf(block);
  const decision = await availability(block, user, activity);
  const steps: DecisionStep[] = [];
  for (const node of line) {
    if (!isPermitted(node.permissions, user)) {
      const isForOther = otherRoles.some((role) => isPermitted(node.permissions, { ...user, role }));
      const obstacle = { cause: isForOther ? 'group' : 'role', reason: permissionReason(node, block, user) } as const;
      steps.push({ block: node, isPermitted: false, isActive: null, obstacle });
    } else if (decision.outcome === 'forbidden') {
      steps.push({ block: node, isPermitted: true, isActive: null, obstacle: null });
    } else {
      const obstacle = await inactivity(node, activity);
      steps.push({ block: node, isPermitted: true, isActive: obstacle === null, obstacle });
    }
  }
  return { decision, steps };
}

/**
 * The decision for one block alone, as a parent needs it when listing its children. A source belongs to its grid: the
 * grid decides who sees the rows, and the permissions of the source only who may address the source itself (reference
 * engine, section 4.3).
 */
export async function availabilityInParent(
  block: BlockNode,
  user: PolicyUser,
  activity: ActivityReader,
): Promise<Availability> {
  const isOfParent = block.definition?.kind === 'source';
  if (!isOfParent && !isPermitted(block.permissions, user)) return forbidden(block, block, user);
  if (isPlain(block, activity)) return allowed;
  const obstacle = await inactivity(block, activity);
  return obstacle === null ? allowed : { outcome: 'inactive', reason: obstacle.reason };
}

/** From the root to the block. */
export function lineOf(block: BlockNode): BlockNode[] {
  const line: BlockNode[] = [];
  for (let node: BlockNode | null = block; node !== null; node = node.parent) line.unshift(node);
  return line;
}

const forbidden = (node: BlockNode, block: BlockNode, user: PolicyUser): Availability => ({
  outcome: 'forbidden',
  reason: permissionReason(node, block, user),
});

function permissionReason(node: BlockNode, block: BlockNode, user: PolicyUser): string {
  const who =
    user.role === null ? (user.isOwner ? 'the owner, without a role' : 'without a role') : `the role "${user.role}"`;
  const where = node === block ? 'it is' : `its ancestor "${node.tag}" is`;
  const whom = node.permissions.length === 0 ? 'nobody' : node.permissions.join(', ');
  return `${where} for ${whom}, and the caller is ${who}`;
}

/** Fast path: nothing can deactivate this block. */
const isPlain = (node: BlockNode, activity: ActivityReader): boolean =>
  node.dependencies.length === 0 &&
  (node.defaultActive || !isSwitched(node)) &&
  (node.parent === null || !activity.decides(node.parent));

/** Why the node itself is inactive, ignoring its ancestors; `null` if it is active. */
async function inactivity(node: BlockNode, activity: ActivityReader): Promise<Obstacle | null> {
  if (!node.defaultActive && isSwitched(node)) {
    return { cause: 'hidden', reason: `the addon "${node.tag}" is switched off (defaultActive)` };
  }
  if (node.parent !== null && !(await activity.isOpenIn(node.parent, node))) {
    return { cause: 'step', reason: `"${node.parent.tag}" is at another step than "${node.tag}"` };
  }
  for (const dependency of node.dependencies) {
    if (!(await activity.hasCompleted(dependency))) {
      return { cause: 'dependency', reason: `"${node.tag}" waits for "${dependency.tag}" to be completed` };
    }
  }
  return null;
}
