/** Which cached queries an event makes stale. */
import type { PolicyEvent } from '@blockwork/client';
import type { BlockNode } from '../policy/tree/tree-model.js';

type UnitEvent = Extract<PolicyEvent, { type: 'unit' }>;

/** `[kind, policyId, ...]`; of a block, `['block', policyId, person, name]`. */
export type QueryKey = readonly unknown[];

/** The block that lists group members. */
const GROUPS = 'groupManagerBlock';
/** Blocks that change roles, and with them the policy's record and the members of groups. */
const roleBlocks: ReadonlySet<string> = new Set(['policyRolesBlock', GROUPS]);
/** Blocks that show documents without a source block, so that no event names them. */
const documentBlocks: ReadonlySet<string> = new Set(['reportBlock', 'messagesReportBlock']);
/** Query kinds that any unit of work makes stale. */
const staleAfterAnyUnit: ReadonlySet<string> = new Set(['journal', 'why', 'timers', 'tokens']);

/** A predicate on query keys. `root` is the block tree of the event's policy, if loaded. */
export function staleAfter(event: PolicyEvent, root: BlockNode | undefined): (key: QueryKey) => boolean {
  if (event.type === 'open') return () => true;
  const { policyId } = event;
  if (event.type !== 'unit') return ([kind, id]) => kind === 'policies' || id === policyId;
  const named = new Set(event.tags);
  const mayWait = changesCounts(event);
  if (root === undefined)
    return ([kind, id]) =>
      id === policyId && kind !== 'findings' && kind !== 'policy' && (kind !== 'waiting' || mayWait);
  const changesRoles = isAnywhere(root, ({ tag, type }) => named.has(tag) && roleBlocks.has(type));
  const isStale = (node: BlockNode): boolean =>
    named.has(node.tag) || (event.documents && isShowing(node)) || (changesRoles && node.type === GROUPS);
  const uuids = touchedBy(root, isStale);
  return ([kind, id, , name]) => {
    if (id !== policyId) return false;
    if (kind === 'block') return isTouched(String(name), named, uuids);
    if (kind === 'waiting') return mayWait;
    if (kind === 'policy') return changesRoles;
    return staleAfterAnyUnit.has(String(kind)) || (kind === 'documents' && event.documents);
  };
}

/** Pending work changes with documents, timer ticks and retries; the rest is polled anyway. */
const changesCounts = ({ documents, cause }: UnitEvent): boolean => documents || cause === 'tick' || cause === 'retry';

const isShowing = ({ type }: BlockNode): boolean => documentBlocks.has(type);

const isTouched = (name: string, tags: ReadonlySet<string>, uuids: ReadonlySet<string>): boolean =>
  name === 'root' || uuids.has(name) || (name.startsWith('tag:') && tags.has(name.slice('tag:'.length)));

const isAnywhere = (node: BlockNode, isMeant: (node: BlockNode) => boolean): boolean =>
  isMeant(node) || node.children.some((child) => isAnywhere(child, isMeant));

/** The blocks with their descendants and ancestors: containers change with their children, grids with their filters. */
function touchedBy(root: BlockNode, isMoved: (node: BlockNode) => boolean): ReadonlySet<string> {
  const uuids = new Set<string>();
  const visit = (node: BlockNode, isInside: boolean): boolean => {
    const isOne = isMoved(node);
    const inside = isInside || isOne;
    const below = node.children.map((child) => visit(child, inside)).some(Boolean);
    if (inside || below) uuids.add(node.uuid);
    return isOne || below;
  };
  visit(root, false);
  return uuids;
}
