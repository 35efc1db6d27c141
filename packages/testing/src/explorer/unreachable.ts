/** Blocks that nothing can ever reach, as the policy itself says. */
import { gridColumns, type BlockNode, type PolicyTree } from '@blockwork/core/block';
import { isServant } from './coverage.js';
import type { UnreachedReason } from './exploration.js';
import type { Player } from './player.js';
import { isPermitted, typeOf } from './sites.js';

export interface Obstacle {
  readonly reason: UnreachedReason;
  readonly detail: string;
}

type Who = Pick<Player, 'isOwner' | 'role'>;

/** By block, why nothing can reach it. Blocks that are not in it can be reached, as far as one can tell. */
export function unreachableBlocks(tree: PolicyTree): Map<BlockNode, Obstacle> {
  const people = possiblePeople(tree);
  const bound = new Set(
    tree.blocks.flatMap(gridColumns).flatMap(({ bindBlock, bindBlocks }) => [bindBlock, ...bindBlocks]),
  );
  const obstacles = new Map<BlockNode, Obstacle>();
  const own = (node: BlockNode): Obstacle | null =>
    brokenness(node) ?? (isForPeople(node) ? (nobody(node, people) ?? hiddenness(node, tree, bound)) : null);
  for (const node of tree.blocks) {
    const around = node.parent === null ? undefined : obstacles.get(node.parent);
    const obstacle =
      own(node) ??
      (around !== undefined && !(around.reason === 'hidden' && bound.has(node.tag)) && followsParent(node, around)
        ? within(node, around)
        : null);
    if (obstacle !== null) obstacles.set(node, obstacle);
  }
  addSilent(tree, obstacles);
  return obstacles;
}

/** The roles that somebody can come to, with the owner and those who have none. */
function possiblePeople({ blocks, groups }: PolicyTree): Who[] {
  const roles = new Set<string>();
  for (const node of blocks) {
    if (node.blockType !== 'policyRolesBlock') continue;
    const { roles: direct, groups: entered } = node.options as {
      roles?: readonly string[];
      groups?: readonly string[];
    };
    for (const role of direct ?? []) roles.add(role);
    for (const group of groups.filter(({ name }) => entered?.includes(name ?? '') === true)) {
      for (const role of [group.creator ?? '', ...(group.members ?? [])]) roles.add(role);
    }
  }
  const withRoles = [...roles].filter((role) => role !== '').map((role) => ({ isOwner: false, role }));
  const ownerWithRole = withRoles.map(({ role }) => ({ isOwner: true, role }));
  return [{ isOwner: true, role: null }, { isOwner: false, role: null }, ...withRoles, ...ownerWithRole];
}

const isForPeople = ({ definition }: BlockNode): boolean =>
  definition?.kind === 'interface' || definition?.kind === 'container' || definition?.kind === 'source';

function brokenness(node: BlockNode): Obstacle | null {
  if (node.blockType === 'tool' && node.children.length === 0)
    return { reason: 'tool missing', detail: 'the tool is not here: import it' };
  if (node.definition === null) return { reason: 'unknown type', detail: `there is no block type ${node.blockType}` };
  if (node.options === null) return { reason: 'invalid options', detail: node.optionsError };
  if (node.blockType === 'externalTopicBlock' || node.blockType === 'globalEventsReaderBlock')
    return { reason: 'another instance', detail: 'it takes in what another policy publishes' };
  if (node.blockType === 'httpRequestBlock' || node.blockType === 'integrationButtonBlock')
    return { reason: 'another instance', detail: 'it asks a service on the network' };
  return null;
}

function nobody(node: BlockNode, people: readonly Who[]): Obstacle | null {
  if (people.some((who) => isPermitted(node, who))) return null;
  // Blocks that run on events run without anybody being let in.
  const lists: string[] = [];
  for (let each: BlockNode | null = node; each !== null; each = each.parent) {
    lists.unshift(`${each.tag}: ${each.permissions.join(', ') || 'nobody'}`);
  }
  return { reason: 'no role', detail: `no role passes all of ${lists.join('; ')}` };
}

/** A block that is not active by default shows only where a step, a column or the navigation leads to it. */
function hiddenness(node: BlockNode, { navigation }: PolicyTree, bound: ReadonlySet<string>): Obstacle | null {
  if (node.defaultActive || node.parent === null || node.definition?.kind === 'source') return null;
  const isStep = node.parent.blockType === 'interfaceStepBlock';
  const isLedTo = JSON.stringify(navigation).includes(JSON.stringify(node.tag));
  if (isStep || isLedTo || bound.has(node.tag) || node.parent.blockType === 'interfaceDocumentsSourceBlock')
    return null;
  return { reason: 'hidden', detail: 'it is not active by default, and no step, column or navigation shows it' };
}

/** Blocks that run on events run wherever they are; all others share the fate of the block around them. */
const followsParent = (node: BlockNode, { reason }: Obstacle): boolean =>
  isForPeople(node) || isServant(node) || reason === 'tool missing';

const within = (node: BlockNode, { reason, detail }: Obstacle): Obstacle => ({
  reason,
  detail: detail.startsWith('within ') ? detail : `within "${node.parent?.tag ?? ''}": ${detail}`,
});

/** Blocks that run on events, where no event can come from anything alive. */
function addSilent({ blocks }: PolicyTree, obstacles: Map<BlockNode, Obstacle>): void {
  const alive = new Set(blocks.filter((node) => !obstacles.has(node) && startsByItself(node)));
  const queue = [...alive];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    for (const { target } of [...node.links.values()].flat()) {
      if (alive.has(target) || obstacles.get(target)?.reason === 'tool missing') continue;
      alive.add(target);
      queue.push(target);
    }
  }
  for (const node of blocks) {
    if (obstacles.has(node) || alive.has(node)) continue;
    if (isServant(node)) {
      const around = node.parent === null ? undefined : obstacles.get(node.parent);
      if (around !== undefined) obstacles.set(node, within(node, around));
    } else if (!isForPeople(node)) {
      obstacles.set(node, { reason: 'no event', detail: 'no event can reach it' });
    }
  }
  // Somebody for whom it is hidden or forbidden may still be sent there by an event: then it runs.
  for (const node of alive) if (!isForPeople(node)) obstacles.delete(node);
}

/** What people, timers or the outside begin. */
function startsByItself(node: BlockNode): boolean {
  const type = typeOf(node);
  if (type === null) return false;
  const takesData = type.receive !== undefined && type.viewState !== true;
  if (takesData || type.external !== undefined) return true;
  return type.timetable?.(node.options) !== undefined;
}
