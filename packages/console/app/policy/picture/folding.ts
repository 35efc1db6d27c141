/** Which blocks of the picture are folded: large policies start as an overview, and search results are unfolded. */
import type { BlockNode } from '../tree/tree-model.js';
import { treeLayout } from './tree-layout.js';

/** Maximum number of rows of the overview. */
const ROWS_AT_FIRST = 60;

/** The blocks with children at this depth or deeper; the root has depth 0. */
export function foldedFrom(root: BlockNode, depth: number): ReadonlySet<string> {
  const folded = new Set<string>();
  const visit = (node: BlockNode, at: number): void => {
    if (at >= depth && node.children.length > 0) folded.add(node.uuid);
    for (const child of node.children) visit(child, at + 1);
  };
  visit(root, 0);
  return folded;
}

/** Unfolded as deep as the rows allow; the root's children are always visible. Small policies are not folded. */
export function overview(root: BlockNode, rows = ROWS_AT_FIRST): ReadonlySet<string> {
  for (let depth = depthOf(root); depth > 1; depth -= 1) {
    const folded = foldedFrom(root, depth);
    if (rowsOf(root, folded) <= rows) return folded;
  }
  return foldedFrom(root, 1);
}

/** Unfolds the ancestors of matching blocks. */
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
