/** Why reachable blocks were not reached. */
import type { BlockNode, PolicyTree } from '@blockwork/core/block';
import type { Coverage, UnreachedBlock } from './exploration.js';
import type { Observer } from './observer.js';
import type { Habits } from './habits.js';
import { sitesOf, typeOf } from './sites.js';
import { unreachableBlocks, type Obstacle } from './reach/unreachable.js';
import type { Lessons } from './walk.js';

export function coverageOf(tree: PolicyTree, { observer, habits }: Lessons): Coverage {
  const { coverage } = observer;
  coverage.spread(tree);
  const never = unreachableBlocks(tree, misconfigured(tree, observer));
  const grids = new Map(sitesOf(tree).map(({ node, grids: opening }) => [node, opening]));
  const unreached = tree.blocks
    .filter((node) => !coverage.has(node))
    .map((node): UnreachedBlock => {
      const obstacle = never.get(node);
      const why = obstacle ?? chance(node, grids.get(node) ?? [], tree, observer, habits);
      const { reason, detail } = why;
      const certain = obstacle?.isCertain ?? false;
      return { block: node.tag, blockType: node.blockType, static: obstacle !== undefined, certain, reason, detail };
    });
  const reachable = tree.blocks.length - unreached.filter((block) => block.static).length;
  return { blocks: tree.blocks.length, reachable, reached: coverage.reached(tree), unreached };
}

/** Misconfigured blocks that refuse all data. */
function misconfigured({ blocks }: PolicyTree, { coverage, incidents }: Observer): Map<BlockNode, Obstacle> {
  const obstacles = new Map<BlockNode, Obstacle>();
  for (const { code, block, message } of incidents.of('refusal')) {
    const node = code === 'BLOCK_MISCONFIGURED' ? blocks.find(({ tag }) => tag === block) : undefined;
    if (node !== undefined && !coverage.has(node)) obstacles.set(node, { reason: 'invalid options', detail: message });
  }
  return obstacles;
}

/** Why the block was missed, although the policy permits reaching it. */
function chance(
  node: BlockNode,
  grids: readonly BlockNode[],
  tree: PolicyTree,
  { coverage, incidents }: Observer,
  habits: Habits,
): Obstacle {
  const refused = incidents.at(node.tag);
  if (refused !== undefined) return { reason: 'refused', detail: `${refused.code}: ${refused.message}` };
  if (node.definition?.kind === 'server') return noData(node, tree, coverage);
  const closed = habits.closed.get(node.tag);
  if (closed !== undefined) return { reason: 'not open', detail: closed };
  const parent = node.parent;
  if (parent !== null && typeOf(node)?.receive === undefined && !coverage.has(parent)) {
    return { reason: 'not open', detail: `"${parent.tag}" around it was not reached` };
  }
  if (grids.length > 0) {
    return { reason: 'not offered', detail: `no row to act on in ${grids.map(({ tag }) => `"${tag}"`).join(', ')}` };
  }
  return { reason: 'not tried', detail: 'nobody came to it, or it showed nothing to do' };
}

function noData(node: BlockNode, { blocks }: PolicyTree, coverage: Observer['coverage']): Obstacle {
  const senders = blocks.filter((each) => [...each.links.values()].flat().some(({ target }) => target === node));
  const reached = senders.filter((each) => coverage.has(each)).map(({ tag }) => `"${tag}"`);
  const missed = senders.filter((each) => !coverage.has(each)).map(({ tag }) => `"${tag}"`);
  const detail =
    reached.length > 0
      ? `nothing came from ${reached.slice(0, 5).join(', ')}`
      : `${missed.slice(0, 5).join(', ') || 'what would send to it'} was not reached`;
  return { reason: 'no data', detail };
}
