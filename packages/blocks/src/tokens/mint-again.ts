/** Finds the way by which a run may come back to the mint that it left. */
import { finding, type BlockNode, type Finding } from '@blockwork/core/block';

/** A run ends at blocks that wait: for a user, for a moment, or for more documents. */
const waiting = ['timerBlock', 'aggregateDocumentBlock', 'multiSignBlock'];

const passesRuns = ({ definition, blockType }: BlockNode): boolean =>
  definition?.kind === 'server' && !waiting.includes(blockType);

const MOST_NAMES = 12;

/** A warning: a block between may decide otherwise. */
export function mintAgainFindings(mint: BlockNode): Finding[] {
  const way = wayBack(mint);
  if (way === undefined) return [];
  const names = way.slice(0, MOST_NAMES).map(({ tag }) => `"${tag}"`);
  if (way.length > MOST_NAMES) names.push('…');
  const through = names.length === 0 ? 'by a link of its own' : `through ${names.join(', ')}`;
  const message = `A run of "${mint.tag}" comes back to it ${through}: it may mint in an endless loop. Remove a link, set stopPropagation, or put a block between them that waits.`;
  return [finding(mint, { severity: 'warning', code: 'LINK_CIRCULAR', message, path: '/events' })];
}

/** A policy may have thousands of mints, each with thousands of blocks behind it. */
const MOST_LINKS = 2_000;

/** The blocks of the shortest way. Breadth first. */
function wayBack(mint: BlockNode): BlockNode[] | undefined {
  const before = new Map<BlockNode, BlockNode>();
  let links = 0;
  // The iteration includes what is added to the end.
  const open = new Set([mint]);
  for (const block of open) {
    for (const { target, input } of [...block.links.values()].flat()) {
      if (++links > MOST_LINKS) return undefined;
      if (target === mint && input === 'RunEvent') return wayTo(block, mint, before);
      if (open.has(target) || input === 'RefreshEvent' || !passesRuns(target)) continue;
      before.set(target, block);
      open.add(target);
    }
  }
  return undefined;
}

function wayTo(block: BlockNode, mint: BlockNode, before: ReadonlyMap<BlockNode, BlockNode>): BlockNode[] {
  const way: BlockNode[] = [];
  for (let at: BlockNode | undefined = block; at !== undefined && at !== mint; at = before.get(at)) way.unshift(at);
  return way;
}
