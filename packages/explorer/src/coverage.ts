/** Coverage: which blocks were reached, by which roles. */
import type { JournalEntry } from '@blockwork/core';
import { REFRESH, type BlockNode, type PolicyTree } from '@blockwork/core/block';
import type { ReachedBlock } from './exploration.js';
import { whoOf, type Player } from './player.js';
import type { PolicyWorld } from './world/policy-world.js';
import { isPermitted, takesData } from './sites.js';

/** The actor of everything that no player does. */
const TIMER = 'timer';

export class BlockCoverage {
  /** Visits per role, by tag. */
  readonly #reached = new Map<string, Map<string, number>>();

  /** How many blocks were reached. */
  get size(): number {
    return this.#reached.size;
  }

  /** Records that a player read a block, which fully covers a read-only block. */
  saw(node: BlockNode, player: Player): void {
    if (!takesData(node)) this.#count(node.tag, whoOf(player));
  }

  /** Records that a player's data was accepted. */
  used(node: BlockNode, who: string): void {
    this.#count(node.tag, who);
  }

  /** Records blocks that ran, with or without a player. */
  ran({ events, cause }: JournalEntry, world: PolicyWorld): void {
    for (const { target, did, input } of events) {
      if (input === REFRESH) continue;
      const [node, player] = [world.block(target), world.playerWith(did)];
      // A form that a run leads to is not filled in yet.
      if (node?.definition?.kind === 'interface' && takesData(node)) continue;
      this.#count(target, player === undefined ? TIMER : whoOf(player));
    }
    if (cause.type === 'tick') this.#count(cause.tag, TIMER);
    if (cause.type === 'external') {
      const player = world.playerWith(cause.did);
      for (const tag of cause.tag.split(',')) this.#count(tag, player === undefined ? TIMER : whoOf(player));
    }
  }

  has(node: BlockNode): boolean {
    return this.#reached.has(node.tag);
  }

  isSeenBy(node: BlockNode, who: string): boolean {
    return this.#reached.get(node.tag)?.has(who) === true;
  }

  /** Children that only serve their parent are reached with it, by the roles that may access them. */
  spread({ blocks }: PolicyTree): void {
    for (const node of blocks) {
      if (node.parent === null || this.has(node) || !isServant(node)) continue;
      for (const [who, times] of this.#reached.get(node.parent.tag) ?? []) {
        if (isOpenFor(node, who)) this.#count(node.tag, who, times);
      }
    }
  }

  reached({ blocks }: PolicyTree): ReachedBlock[] {
    return blocks.flatMap((node) => {
      const by = this.#reached.get(node.tag);
      if (by === undefined) return [];
      return [{ block: node.tag, blockType: node.blockType, by: Object.fromEntries([...by].sort()) }];
    });
  }

  #count(tag: string, who: string, times = 1): void {
    const by = this.#reached.get(tag) ?? new Map<string, number>();
    by.set(who, (by.get(who) ?? 0) + times);
    this.#reached.set(tag, by);
  }
}

const servants: ReadonlySet<string> = new Set(['source', 'filter', 'paging', 'history', 'addon']);

/** Whether a block is only called by its parent. */
export const isServant = (node: BlockNode): boolean =>
  node.definition !== null && node.options !== null && servants.has(node.definition.kind);

/** Addons of event-driven blocks are not subject to permissions. */
function isOpenFor(node: BlockNode, who: string): boolean {
  const kind = node.definition?.kind;
  if ((kind === 'paging' || kind === 'filter') && !node.defaultActive) return false;
  if (kind === 'addon') return true;
  const role = who === 'without a role' || who === 'owner' ? null : who;
  return isPermitted(node, { isOwner: who === 'owner', role });
}
