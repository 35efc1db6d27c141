/** Which cached queries an event makes stale. */
import type { PolicyEvent } from '@blockwork/client';
import type { BlockNode } from '../policy/tree/tree-model.js';

type UnitEvent = Extract<PolicyEvent, { type: 'unit' }>;

/** `[kind, policyId, ...]`; of a block, `['block', policyId, person, name]`. */
export type QueryKey = readonly unknown[];

/** The block that shows who is in a group. */
const GROUPS = 'groupManagerBlock';
/** Blocks by which people get another role: the policy says which one they have, and groups who is in them. */
const givesRoles: ReadonlySet<string> = new Set(['policyRolesBlock', GROUPS]);
/** Blocks that show documents without a source below them, so that no event names them. */
const showsDocuments: ReadonlySet<string> = new Set(['reportBlock', 'messagesReportBlock']);
/** What any unit of work may have moved. */
const movesWithAll: ReadonlySet<string> = new Set(['journal', 'why', 'timers', 'tokens']);

/** A test of keys. `root` is the tree of the event's policy, where the page has read it. */
export function staleAfter(event: PolicyEvent, root: BlockNode | undefined): (key: QueryKey) => boolean {
  if (event.type === 'open') return () => true;
  const { policyId } = event;
  if (event.type !== 'unit') return ([kind, id]) => kind === 'policies' || id === policyId;
  const named = new Set(event.tags);
  const mayWait = movesCounts(event);
  if (root === undefined)
    return ([kind, id]) =>
      id === policyId && kind !== 'findings' && kind !== 'policy' && (kind !== 'waiting' || mayWait);
  const movesRoles = isAnywhere(root, ({ tag, type }) => named.has(tag) && givesRoles.has(type));
  const isMoved = (node: BlockNode): boolean =>
    named.has(node.tag) || (event.documents && isShowing(node)) || (movesRoles && node.type === GROUPS);
  const uuids = touchedBy(root, isMoved);
  return ([kind, id, , name]) => {
    if (id !== policyId) return false;
    if (kind === 'block') return isTouched(String(name), named, uuids);
    if (kind === 'waiting') return mayWait;
    if (kind === 'policy') return movesRoles;
    return movesWithAll.has(String(kind)) || (kind === 'documents' && event.documents);
  };
}

/** What waits is documents, and what timers and repeated attempts take up; the rest is counted from time to time anyway. */
const movesCounts = ({ documents, cause }: UnitEvent): boolean => documents || cause === 'tick' || cause === 'retry';

const isShowing = ({ type }: BlockNode): boolean => showsDocuments.has(type);

const isTouched = (name: string, tags: ReadonlySet<string>, uuids: ReadonlySet<string>): boolean =>
  name === 'root' || uuids.has(name) || (name.startsWith('tag:') && tags.has(name.slice('tag:'.length)));

const isAnywhere = (node: BlockNode, isMeant: (node: BlockNode) => boolean): boolean =>
  isMeant(node) || node.children.some((child) => isAnywhere(child, isMeant));

/** The blocks, what they contain, and what contains them: a container changes with its children, a grid has filters below it. */
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
