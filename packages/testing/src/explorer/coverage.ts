/** Which blocks were reached, and by whom. */
import type { JournalEntry } from '@blockwork/core';
import { REFRESH, type BlockNode, type PolicyTree } from '@blockwork/core/block';
import type { ReachedBlock } from './exploration.js';
import { whoOf, type Player } from './player.js';
import type { PolicyWorld } from './world/policy-world.js';
import { isPermitted, takesData } from './sites.js';

/** Who does what no player does. */
const TIMER = 'timer';

export class BlockCoverage {
  /** By tag, how often each role got there. */
  readonly #reached = new Map<string, Map<string, number>>();

  /** How many blocks were reached. */
  get size(): number {
    return this.#reached.size;
  }

  /** A player was shown what a block shows. That is all there is to a block that takes nothing. */
  saw(node: BlockNode, player: Player): void {
    if (!takesData(node)) this.#count(node.tag, whoOf(player));
  }

  /** A player's data was accepted. */
  used(node: BlockNode, who: string): void {
    this.#count(node.tag, who);
  }

  /** Blocks that ran, or were run by nobody. */
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

  /** Children that only serve their parent are reached with it, by those whom they are open to. */
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

/** A block that has no life of its own: its parent asks it. */
export const isServant = (node: BlockNode): boolean =>
  node.definition !== null && node.options !== null && servants.has(node.definition.kind);

/** The addons of blocks that run on events ask nobody's permission. */
function isOpenFor(node: BlockNode, who: string): boolean {
  const kind = node.definition?.kind;
  if ((kind === 'paging' || kind === 'filter') && !node.defaultActive) return false;
  if (kind === 'addon') return true;
  const role = who === 'without a role' || who === 'owner' ? null : who;
  return isPermitted(node, { isOwner: who === 'owner', role });
}
