/** Walks a tree of blocks in order, parents first, without recursion. */
import type { BlockSource } from '../../records/index.js';

export interface Place {
  readonly block: BlockSource;
  readonly parent: Place | null;
  /** Position among the parent's children. */
  readonly index: number;
}

/** Every block of the tree; the root first. */
export function placesOf(root: BlockSource): [Place, ...Place[]] {
  const places: [Place, ...Place[]] = [{ block: root, parent: null, index: 0 }];
  const waiting = childrenOf(places[0]);
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    places.push(place);
    for (const child of childrenOf(place)) waiting.push(child);
  }
  return places;
}

/** The last child first. */
const childrenOf = (parent: Place): Place[] =>
  parent.block.children.map((block, index) => ({ block, parent, index })).reverse();

interface Positioned {
  readonly parent: Positioned | null;
  readonly index: number;
}

/** JSON pointer of the block in the configuration; empty for the root. */
export function pathOf(place: Positioned): string {
  let path = '';
  for (let at = place; at.parent !== null; at = at.parent) path = `/children/${at.index}${path}`;
  return path;
}
