/** Filters a movement by what a subscriber may see. */
import { isPermitted, policyUser, type Caller, type PolicyUser } from '../access/index.js';
import type { OpenPolicy } from '../catalog/index.js';
import type { BlockNode, PolicyTree } from '../policy/index.js';
import type { Audience } from './journal-tail.js';
import type { Movement, StatusEvent, UnitEvent } from './policy-event.js';

/** An event without the subscription position that follows it. */
export type EventDraft = Omit<UnitEvent, 'id'> | Omit<StatusEvent, 'id'>;

/** Depends only on role and ownership, so it is computed once per combination and policy version. */
interface View {
  /** Tags of the blocks whose own and ancestors' permissions admit the user. */
  readonly open: ReadonlySet<string>;
  /** Those of them that show documents. */
  readonly showing: readonly string[];
}

const views = new WeakMap<PolicyTree, Map<string, View>>();

/** The event as this caller may see it; `null` if the unit concerns no block open to them. */
export function eventFor(
  caller: Pick<Caller, 'did' | 'username'>,
  { policy, membershipsOf }: Audience,
  movement: Movement,
): EventDraft | null {
  const { id, at, cause, documents } = movement;
  const moved = { policyId: policy.id, revision: Number(id), at };
  if (cause.type === 'lifecycle') {
    const { action, definition } = cause;
    return { type: 'status', ...moved, action, ...(definition !== undefined && { definition }) };
  }
  const user = policyUser(caller, policy.record.owner, membershipsOf(caller.did));
  const tags = tagsFor(user, policy, movement);
  // Owners may read the journal anyway, which says more.
  if (tags.length === 0 && !user.isOwner) return null;
  return { type: 'unit', ...moved, cause: cause.type, tags, documents };
}

function tagsFor(user: PolicyUser, { tree }: OpenPolicy, { tags, documents }: Movement): string[] {
  const { open, showing } = viewOf(tree, user);
  const touched = [...tags].filter((tag) => open.has(tag) || (user.isOwner && tree.byTag.has(tag)));
  return documents ? [...new Set([...touched, ...showing])] : touched;
}

function viewOf(tree: PolicyTree, user: PolicyUser): View {
  let treeViews = views.get(tree);
  if (treeViews === undefined) views.set(tree, (treeViews = new Map<string, View>()));
  const key = `${user.isOwner ? 'owner' : 'member'}/${user.role === null ? '' : `=${user.role}`}`;
  let view = treeViews.get(key);
  if (view === undefined) treeViews.set(key, (view = computeView(tree, user)));
  return view;
}

function computeView({ blocks }: PolicyTree, user: PolicyUser): View {
  const open = blocks.filter((block) => isOpen(block, user));
  const showing = open.filter(({ children }) => children.some(({ blockType }) => blockType === 'documentsSourceAddon'));
  return { open: new Set(open.map(({ tag }) => tag)), showing: showing.map(({ tag }) => tag) };
}

function isOpen(block: BlockNode, user: PolicyUser): boolean {
  for (let node: BlockNode | null = block; node !== null; node = node.parent) {
    if (!isPermitted(node.permissions, user)) return false;
  }
  return true;
}
