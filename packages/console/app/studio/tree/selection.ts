/** Several blocks of the tree at once: which ones are meant, and how they move together. */
import type { BlockAt, Blocks } from '../draft/blocks.js';
import { childrenOf, isRecord, type BlockType, type EditOperation } from '../draft/operations.js';
import type { Spot } from '../palette/places.js';

export type Direction = 'up' | 'down' | 'inwards' | 'outwards';

/** The ids between two rows, both included; only the second where the first is not shown. */
export function between(rows: readonly string[], from: string, to: string): string[] {
  const [a, b] = [rows.indexOf(from), rows.indexOf(to)];
  return a === -1 || b === -1 ? [to] : rows.slice(Math.min(a, b), Math.max(a, b) + 1);
}

/** In tree order. What is inside of another one of them goes with it. */
export function withoutNested(ids: ReadonlySet<string>, { byId }: Blocks): BlockAt[] {
  const isInside = ({ parent }: BlockAt): boolean => {
    for (let at = byId.get(parent ?? ''); at !== undefined; at = byId.get(at.parent ?? ''))
      if (ids.has(at.id)) return true;
    return false;
  };
  return [...byId.values()].filter((block) => ids.has(block.id) && !isInside(block));
}

/** Nothing moves into itself; the root does not move. */
export function canMoveTo(moved: readonly BlockAt[], parent: string, { byId }: Blocks): boolean {
  const ids = new Set(moved.map(({ id }) => id));
  if (moved.length === 0 || moved.some((block) => block.parent === null)) return false;
  for (let at = byId.get(parent); at !== undefined; at = byId.get(at.parent ?? '')) if (ids.has(at.id)) return false;
  return true;
}

/** One after the other, as they are ordered, to this place among the present children; none if they are there. */
export function movesTo(moved: readonly BlockAt[], { parent, index }: Spot, { byId }: Blocks): EditOperation[] {
  const around = byId.get(parent);
  const ids = new Set(moved.map(({ id }) => id));
  const before = around === undefined ? [] : childrenOf(around.source).map(({ id }) => String(id));
  let children = before;
  const follower = children.slice(index).find((id) => !ids.has(id));
  const moves = moved.map((block): EditOperation => {
    children = children.filter((id) => id !== block.id);
    const at = follower === undefined ? children.length : children.indexOf(follower);
    children.splice(at, 0, block.id);
    return { op: 'moveBlock', block: block.id, parent, index: at };
  });
  return before.join() === children.join() ? [] : moves;
}

/** Where the blocks go by a step; `undefined` where they cannot, as when they have different parents. */
export function stepFrom(
  moved: readonly BlockAt[],
  direction: Direction,
  { byId }: Blocks,
  types: ReadonlyMap<string, BlockType>,
): Spot | undefined {
  const [first, last] = [moved[0], moved.at(-1)];
  const parent = first?.parent;
  if (first === undefined || last === undefined || parent == null) return undefined;
  if (moved.some((block) => block.parent !== parent)) return undefined;
  const around = byId.get(parent);
  if (around === undefined) return undefined;
  const siblings = childrenOf(around.source);
  if (direction === 'up') return first.index > 0 ? { parent, index: first.index - 1 } : undefined;
  if (direction === 'down') return last.index < siblings.length - 1 ? { parent, index: last.index + 2 } : undefined;
  if (direction === 'outwards')
    return around.parent === null ? undefined : { parent: around.parent, index: around.index + 1 };
  const above = byId.get(String(siblings[first.index - 1]?.['id']));
  if (above === undefined || types.get(above.type)?.children === 'none') return undefined;
  return { parent: above.id, index: childrenOf(above.source).length };
}

export type CopiedBlock = Readonly<Record<string, unknown>> & { readonly blockType: string; readonly tag?: string };

/** The blocks that a text holds: one, or a list of them. */
export function blocksIn(text: string): readonly CopiedBlock[] {
  try {
    const value: unknown = JSON.parse(text);
    const listed: readonly unknown[] = Array.isArray(value) ? value : [value];
    return listed.every(isBlock) ? listed : [];
  } catch {
    return [];
  }
}

const isBlock = (value: unknown): value is CopiedBlock => isRecord(value) && typeof value['blockType'] === 'string';
