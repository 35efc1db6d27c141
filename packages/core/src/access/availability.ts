/** Whether a block is open to a user now: one decision with its reason, for callers, tests and transports alike. */
import type { BlockNode } from '../policy/index.js';
import { isPermitted } from './block-permission.js';
import type { PolicyUser } from './policy-user.js';

export type Availability =
  { readonly outcome: 'allowed' } | { readonly outcome: 'unknown' | 'forbidden' | 'inactive'; readonly reason: string };

/** What the decision has to ask of the running policy. */
export interface ActivityReader {
  /** Whether the parent decides at all which of its children are open; most do not, and need not be asked. */
  decides(parent: BlockNode): boolean;
  /** Whether the parent has this child open for the user. */
  isOpenIn(parent: BlockNode, child: BlockNode): Promise<boolean>;
  /** Whether the block completed for the user or their group. */
  hasCompleted(block: BlockNode): Promise<boolean>;
}

const allowed: Availability = { outcome: 'allowed' };

/**
 * Permission of the block and every ancestor first, so that "not now" never reveals a block that is
 * not for them; then, from the root down, what is open: the current child of a step, addons that are switched
 * on, dependencies that have completed.
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
    const reason = await inactivity(node, activity);
    if (reason !== null) return { outcome: 'inactive', reason };
  }
  return allowed;
}

/** The same question for one block alone, as its parent asks it when it lists its children. */
export async function availabilityInParent(
  block: BlockNode,
  user: PolicyUser,
  activity: ActivityReader,
): Promise<Availability> {
  if (!isPermitted(block.permissions, user)) return forbidden(block, block, user);
  if (isPlain(block, activity)) return allowed;
  const reason = await inactivity(block, activity);
  return reason === null ? allowed : { outcome: 'inactive', reason };
}

/** From the root to the block. */
export function lineOf(block: BlockNode): BlockNode[] {
  const line: BlockNode[] = [];
  for (let node: BlockNode | null = block; node !== null; node = node.parent) line.unshift(node);
  return line;
}

function forbidden(node: BlockNode, block: BlockNode, user: PolicyUser): Availability {
  const who =
    user.role === null ? (user.isOwner ? 'the owner, without a role' : 'without a role') : `the role "${user.role}"`;
  const where = node === block ? 'it is' : `its ancestor "${node.tag}" is`;
  const whom = node.permissions.length === 0 ? 'nobody' : node.permissions.join(', ');
  return { outcome: 'forbidden', reason: `${where} for ${whom}, and the caller is ${who}` };
}

/** Nothing could make it inactive: saves a read most of its questions. */
const isPlain = (node: BlockNode, activity: ActivityReader): boolean =>
  node.dependencies.length === 0 &&
  (node.defaultActive || !isSwitched(node)) &&
  (node.parent === null || !activity.decides(node.parent));

/** Why the node itself is not active, leaving its ancestors aside; `null` when it is. */
async function inactivity(node: BlockNode, activity: ActivityReader): Promise<string | null> {
  if (!node.defaultActive && isSwitched(node)) return `the addon "${node.tag}" is switched off (defaultActive)`;
  if (node.parent !== null && !(await activity.isOpenIn(node.parent, node))) {
    return `"${node.parent.tag}" is at another step than "${node.tag}"`;
  }
  for (const dependency of node.dependencies) {
    if (!(await activity.hasCompleted(dependency)))
      return `"${node.tag}" waits for "${dependency.tag}" to be completed`;
  }
  return null;
}

/**
 * Addons that users work with are off while `defaultActive` is false. Document sources and history are not
 * shown by themselves, and published policies write false on nearly all of them while relying on them.
 */
export function isSwitched(node: BlockNode): boolean {
  const kind = node.definition?.kind;
  return kind === 'paging' || kind === 'filter';
}
