/** Which blocks of the picture are folded: large policies start as an overview, and search results are unfolded. */
import type { BlockNode } from '../tree/tree-model.js';
import { treeLayout } from './tree-layout.js';

/** Rows that are looked at without losing one's way. */
const ROWS_AT_FIRST = 60;

/** Every block from this depth on that holds others; the root has the depth 0. */
export function foldedFrom(root: BlockNode, depth: number): ReadonlySet<string> {
  const folded = new Set<string>();
  const visit = (node: BlockNode, at: number): void => {
    if (at >= depth && node.children.length > 0) folded.add(node.uuid);
    for (const child of node.children) visit(child, at + 1);
  };
  visit(root, 0);
  return folded;
}

/** As deep as the rows allow; the children of the root are always there. Nothing is folded in a policy of few rows. */
export function overview(root: BlockNode, rows = ROWS_AT_FIRST): ReadonlySet<string> {
  for (let depth = depthOf(root); depth > 1; depth -= 1) {
    const folded = foldedFrom(root, depth);
    if (rowsOf(root, folded) <= rows) return folded;
  }
  return foldedFrom(root, 1);
}

/** Unfolds what stands around the blocks that are wanted. */
export function unfoldedTo(
  root: BlockNode,
  folded: ReadonlySet<string>,
  isWanted: (node: BlockNode) => boolean,
): ReadonlySet<string> {
  const next = new Set(folded);
  const visit = (node: BlockNode): boolean => {
    const below = node.children.map(visit).some(Boolean);
    if (below) next.delete(node.uuid);
    return below || isWanted(node);
  };
  visit(root);
  return next.size === folded.size ? folded : next;
}

const rowsOf = (root: BlockNode, folded: ReadonlySet<string>): number =>
  Math.max(...treeLayout(root, folded).map(({ row }) => row)) + 1;

const depthOf = ({ children }: BlockNode): number => 1 + Math.max(0, ...children.map(depthOf));
