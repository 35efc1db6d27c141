/** Names of places in a definition, by which edits of several people are compared. */
import { pointerOf, walkTree } from '../../policy/index.js';
import type { BlockSource, EventSource } from '../../records/index.js';

export const blockPlace = (id: string): string => pointerOf(['blocks', id]);
export const optionPlace = (id: string, pointer: string): string => `${blockPlace(id)}/options${pointer}`;
export const positionPlace = (id: string): string => `${blockPlace(id)}/position`;
export const tagPlace = (tag: string): string => pointerOf(['tags', tag]);
export const entryPlace = (list: string, key: string | number): string => pointerOf([list, key]);

type LinkEnds = Pick<EventSource, 'source' | 'output' | 'target' | 'input'>;

export const linkPlace = (id: string, { source, output, target, input }: LinkEnds): string =>
  `${blockPlace(id)}${pointerOf(['links', source, output, target, input])}`;

/** All blocks of a subtree, and their tags. */
export const subtreePlaces = (root: BlockSource): string[] =>
  walkTree(root).flatMap(({ block }) =>
    block.tag === '' ? [blockPlace(block.id)] : [blockPlace(block.id), tagPlace(block.tag)],
  );

/** Whether a change of one place is a change of the other. */
export const meets = (a: string, b: string): boolean => covers(a, b) || covers(b, a);

/** Whether the place contains the other, or is the same. */
export const covers = (place: string, other: string): boolean => other === place || other.startsWith(`${place}/`);
