/** One step of bringing the blocks of a policy to the newest version of the format. */
import type { Ids } from '../../ports/index.js';
import type { BlockSource, EventSource } from '../../records/index.js';
import { placesOf, type Place } from '../model/tree-walk.js';

export interface MigrationStep {
  /** Policies of an older version than this need the step. */
  readonly version: string;
  /** Changes the blocks in place. */
  apply(policy: MigratingPolicy): void;
}

export interface MigratingPolicy {
  readonly root: BlockSource;
  readonly ids: Ids;
  /** Tells the author what was done to a block. */
  report(place: Place, message: string): void;
}

/** The blocks of one type. */
export const placesOfType = (policy: MigratingPolicy, blockType: string): Place[] =>
  placesOf(policy.root).filter(({ block }) => block.blockType === blockType);

export type Link = Omit<EventSource, 'disabled'>;

/** Adds the links that the block does not hold yet, and gives those. */
export function addLinks(block: BlockSource, links: readonly Link[]): Link[] {
  const there = new Set(block.events.map(linkKey));
  const added = links.filter((link) => !there.has(linkKey(link)) && there.add(linkKey(link)));
  for (const link of added) block.events.push({ ...link, disabled: false });
  return added;
}

/** Links with the same key do the same; a link that is there but disabled counts too, since its author did not want it. */
export const linkKey = ({ source, target, output, input }: Link): string =>
  JSON.stringify([source, target, output, input]);
