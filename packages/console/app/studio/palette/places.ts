/** Where a new block goes, from the selected one. */
import type { BlockAt, Blocks } from '../draft/blocks.js';
import { childrenOf, type BlockType } from '../draft/operations.js';

export const places = ['fitting', 'inside', 'before', 'after'] as const;
export type Place = (typeof places)[number];

export interface Spot {
  /** Id of the container. */
  readonly parent: string;
  readonly index: number;
}

type Types = ReadonlyMap<string, BlockType>;

/** `fitting`: inside of a block that takes such blocks, otherwise after it. */
export function spotFor(place: Place, type: BlockType | undefined, at: BlockAt, blocks: Blocks, types: Types): Spot {
  const inside = { parent: at.id, index: childrenOf(at.source).length };
  if (at.parent === null || place === 'inside') return inside;
  if (place === 'fitting' && type !== undefined && isFitting(type, at, types) && takesMore(at, types)) return inside;
  const parent = blocks.byId.get(at.parent);
  return { parent: parent?.id ?? at.parent, index: place === 'before' ? at.index : at.index + 1 };
}

/** Containers, and blocks that take blocks of certain kinds only, such as the sources of a grid. */
const takesMore = ({ type }: BlockAt, types: Types): boolean => types.get(type)?.children !== 'none';

/** Whether a block of the type works inside of this one. */
export function isFitting(type: BlockType, parent: BlockAt, types: Types): boolean {
  const around = types.get(parent.type);
  if (around === undefined) return true;
  const { children } = around;
  const isTaken = children === 'any' || (children !== 'none' && children.includes(type.kind));
  return isTaken && (type.parents === null || type.parents.includes(parent.type));
}
