/** A migration step, and building blocks for steps. */
import type { Ids } from '../../../ports/index.js';
import type { BlockSource, EventSource } from '../../../records/index.js';
import { walkTree, type BlockPosition } from '../../model/tree-walk.js';

export interface MigrationStep {
  /** The step applies to policies older than this version. */
  readonly version: string;
  /** Changes the blocks in place. */
  apply(policy: MigratingPolicy): void;
}

export interface MigratingPolicy {
  readonly root: BlockSource;
  readonly ids: Ids;
  /** Adds a finding that tells the author what changed. */
  report(position: BlockPosition, message: string): void;
}

export const blocksOfType = (policy: MigratingPolicy, blockType: string): BlockPosition[] =>
  walkTree(policy.root).filter(({ block }) => block.blockType === blockType);

export type Link = Omit<EventSource, 'disabled'>;

/** Adds missing links to the block and returns them. */
export function addLinks(block: BlockSource, links: readonly Link[]): Link[] {
  const there = new Set(block.events.map(linkKey));
  const added = links.filter((link) => !there.has(linkKey(link)) && there.add(linkKey(link)));
  for (const link of added) block.events.push({ ...link, disabled: false });
  return added;
}

/** Links with the same key are duplicates. Disabled links count: their author did not want them. */
export const linkKey = ({ source, target, output, input }: Link): string =>
  JSON.stringify([source, target, output, input]);
