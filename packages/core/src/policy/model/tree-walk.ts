/** Walks a block tree in document order (parents first) without recursion, so that depth cannot overflow the stack. */
import type { BlockSource } from '../../records/index.js';

export interface BlockPosition {
  readonly block: BlockSource;
  readonly parent: BlockPosition | null;
  /** Position among the parent's children. */
  readonly index: number;
}

/** All blocks of the tree, the root first. */
export function walkTree(root: BlockSource): [BlockPosition, ...BlockPosition[]] {
  const positions: [BlockPosition, ...BlockPosition[]] = [{ block: root, parent: null, index: 0 }];
  const stack = childrenOf(positions[0]);
  for (let position = stack.pop(); position !== undefined; position = stack.pop()) {
    positions.push(position);
    for (const child of childrenOf(position)) stack.push(child);
  }
  return positions;
}

/** In reverse order, for the stack. */
const childrenOf = (parent: BlockPosition): BlockPosition[] =>
  parent.block.children.map((block, index) => ({ block, parent, index })).reverse();

interface Positioned {
  readonly parent: Positioned | null;
  readonly index: number;
}

/** JSON pointer of the block in the configuration; empty for the root. */
export function pathOf(position: Positioned): string {
  let path = '';
  for (let at = position; at.parent !== null; at = at.parent) path = `/children/${at.index}${path}`;
  return path;
}
