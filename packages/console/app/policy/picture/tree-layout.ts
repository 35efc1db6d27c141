/** The layout of the block tree: children to the right of their parent, in the order of the policy. */
import type { BlockNode } from '../tree/tree-model.js';

export interface PlacedBlock {
  readonly node: BlockNode;
  /** From 0; the root is in column 0. */
  readonly column: number;
  readonly row: number;
  /** Index of the block that holds it; `null` for the root. */
  readonly parent: number | null;
}

/** A block shares the row of its first child. Descendants of collapsed blocks are not placed. */
export function treeLayout(root: BlockNode, collapsed: ReadonlySet<string>): PlacedBlock[] {
  const placed: PlacedBlock[] = [];
  let nextRow = 0;
  const place = (node: BlockNode, column: number, parent: number | null): void => {
    const at = placed.length;
    placed.push({ node, column, row: nextRow, parent });
    if (node.children.length === 0 || collapsed.has(node.uuid)) nextRow += 1;
    else for (const child of node.children) place(child, column + 1, at);
  };
  place(root, 0, null);
  return placed;
}
