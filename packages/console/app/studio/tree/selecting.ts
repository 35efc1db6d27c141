/** Selecting several blocks of the tree: by Ctrl or Shift with the mouse, by Shift with the arrows, all by Ctrl-A. */
import type { KeyboardEvent, MouseEvent } from 'react';
import type { Tree } from '../../policy/tree/use-tree.js';
import type { Studio } from '../studio-context.js';
import { between } from './selection.js';

type Selection = Pick<Studio, 'selected' | 'chosen' | 'choose'>;

const idsOf = ({ rows }: Tree): string[] => rows.map(({ node }) => node.uuid);

/** Whether the click did more than select one block. */
export function onSelectingClick(
  { ctrlKey, metaKey, shiftKey }: MouseEvent,
  id: string,
  tree: Tree,
  selection: Selection,
): boolean {
  if (shiftKey) selection.choose(between(idsOf(tree), selection.selected.id, id), selection.selected.id);
  else if (ctrlKey || metaKey) toggle(id, selection);
  else return false;
  tree.show(id);
  return true;
}

/** Whether the key did something. The selected block is where a range begins (ARIA Authoring Practices, "Tree View"). */
export function onSelectingKey(
  { key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent,
  tree: Tree,
  selection: Selection,
): boolean {
  const { selected, chosen, choose } = selection;
  const [ids, hasControl] = [idsOf(tree), ctrlKey || metaKey];
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step !== undefined && shiftKey && !altKey) {
    const next = ids[ids.indexOf(tree.active) + step] ?? tree.active;
    tree.show(next);
    choose(between(ids, selected.id, next), selected.id);
  } else if (key.toLowerCase() === 'a' && hasControl) choose(ids, selected.id);
  else if (key === ' ' && hasControl) toggle(tree.active, selection);
  else if (key === 'Escape' && chosen.size > 1) choose([selected.id], selected.id);
  else return false;
  return true;
}

/** One block always stays selected. */
function toggle(id: string, { selected, chosen, choose }: Selection): void {
  if (!chosen.has(id)) choose([...chosen, id], id);
  else if (chosen.size > 1) {
    const others = [...chosen].filter((each) => each !== id);
    choose(others, id === selected.id ? (others.at(-1) ?? id) : selected.id);
  }
}
