/** Finds the way by which a run may come back to the mint that it left. */
import { finding, isObject, type BlockNode, type Finding, type Suggestion } from '@blockwork/core/block';

/** A run ends at blocks that wait: for a user, for a moment, or for more documents. */
const delayingTypes = ['timerBlock', 'aggregateDocumentBlock', 'multiSignBlock'];

const passesRuns = ({ definition, blockType }: BlockNode): boolean =>
  definition?.kind === 'server' && !delayingTypes.includes(blockType);

const MOST_NAMES = 12;

/** A warning: a block between may decide otherwise. */
export function mintAgainFindings(mint: BlockNode): Finding[] {
  const cycle = wayBack(mint);
  if (cycle === undefined) return [];
  const names = cycle.slice(0, MOST_NAMES).map(({ tag }) => `"${tag}"`);
  if (cycle.length > MOST_NAMES) names.push('…');
  const through = names.length === 0 ? 'by a link of its own' : `through ${names.join(', ')}`;
  const message = `A run of "${mint.tag}" comes back to it ${through}: it may mint in an endless loop. Remove a link, set stopPropagation, or put a block between them that waits.`;
  const suggestions = [wayOut(mint, cycle[0] ?? mint)];
  return [finding(mint, { severity: 'warning', code: 'LINK_CIRCULAR', message, path: '/events', suggestions })];
}

/** The mint without its link to this block; what follows it in the tree is left out otherwise. */
function wayOut({ source, tag }: BlockNode, next: BlockNode): Suggestion {
  const links: readonly unknown[] = Array.isArray(source['events']) ? source['events'] : [];
  const index = links.findIndex(
    (link) => isObject(link) && link['target'] === next.tag && ['', undefined, tag].includes(link['source'] as string),
  );
  return index === -1
    ? { kind: 'value', at: '/stopPropagation', value: true }
    : { kind: 'removal', at: `/events/${String(index)}` };
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
  const cycle: BlockNode[] = [];
  for (let at: BlockNode | undefined = block; at !== undefined && at !== mint; at = before.get(at)) cycle.unshift(at);
  return cycle;
}
