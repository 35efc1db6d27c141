/** Caches which blocks are open to which players, invalidated by events that may open or close one. */
import type { JournalEntry } from '@blockwork/core';
import type { BlockNode, PolicyTree } from '@blockwork/core/block';
import type { Player } from '../player.js';

/**
 * What opens and closes blocks is state of a user and of the groups that they are in: steps, completed blocks, roles. So as long as
 * everybody is in a group of their own, it takes an event of that user.
 */
export class Doors {
  readonly #known = new Map<string, Map<BlockNode, string | null>>();
  readonly #isAlone: boolean;

  constructor({ groups }: Pick<PolicyTree, 'groups'>) {
    this.#isAlone = groups.length === 0;
  }

  /** `null` if the block is open to the player. */
  async reason(
    { caller: { did } }: Player,
    block: BlockNode,
    ask: () => Promise<string | null>,
  ): Promise<string | null> {
    const known = this.#known.get(did) ?? new Map<BlockNode, string | null>();
    this.#known.set(did, known);
    const reason = known.get(block);
    if (reason !== undefined) return reason;
    const answer = await ask();
    known.set(block, answer);
    return answer;
  }

  /** Invalidates entries affected by a commit. */
  changed(units: readonly JournalEntry[]): void {
    if (units.length > 0 && !this.#isAlone) this.#known.clear();
    for (const { cause, events } of units) {
      if (cause.type !== 'send' && cause.type !== 'tick' && cause.type !== 'external') this.#known.clear();
      if ('did' in cause) this.#known.delete(cause.did);
      for (const { did } of events) this.#known.delete(did);
    }
  }
}
