/** Keyboard navigation in the picture, with the same keys as in the list. */
import type { PlacedBlock } from './tree-layout.js';

/** The effect of a key: selects another block, or toggles the selected one. */
export type Move = { readonly select: string } | { readonly toggle: string };

/**
 * `placed`: in the order of the policy. Without a selection, the first block is selected. `null` for other keys, and at the
 * ends of the tree.
 */
export function moveOf(
  key: string,
  placed: readonly PlacedBlock[],
  selected: string | null,
  collapsed: ReadonlySet<string>,
): Move | null {
  const at = placed.findIndex(({ node }) => node.uuid === selected);
  const current = placed[at];
  const to = (index: number): Move | null => {
    const uuid = placed[index]?.node.uuid;
    return uuid === undefined || uuid === selected ? null : { select: uuid };
  };
  if (key === 'Home') return to(0);
  if (key === 'End') return to(placed.length - 1);
  if (!key.startsWith('Arrow')) return null;
  if (current === undefined) return to(0);
  const { node, parent } = current;
  const isFolded = collapsed.has(node.uuid);
  const isHolder = node.children.length > 0;
  if (key === 'ArrowDown') return to(at + 1);
  if (key === 'ArrowUp') return to(at - 1);
  if (key === 'ArrowRight') return isHolder && isFolded ? { toggle: node.uuid } : isHolder ? to(at + 1) : null;
  if (isHolder && !isFolded) return { toggle: node.uuid };
  return parent === null ? null : to(parent);
}
