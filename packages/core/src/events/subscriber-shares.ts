/** Who holds the subscriptions of an instance: each caller has a share, so that no one takes the streams of all others. */
import { BlockworkError } from '../errors.js';

export interface SubscriberLimits {
  /** Maximum concurrent subscriptions. */
  readonly eventSubscribers: number;
  /** Maximum concurrent subscriptions of one caller. */
  readonly eventSubscribersPerCaller: number;
}

export class SubscriberShares {
  /** By DID, the oldest subscription first. */
  readonly #held = new Map<string, Set<AbortController>>();
  #total = 0;

  constructor(private readonly limits: SubscriberLimits) {}

  /**
   * Enters a subscription. A caller at the limit of one caller ends their own oldest; where the instance is full, whoever
   * holds the most ends theirs, if that leaves them at least as many as the newcomer has. Throws `TOO_MANY_SUBSCRIBERS`
   * where all hold as few.
   */
  enter(did: string): AbortController {
    const { eventSubscribers: limit, eventSubscribersPerCaller } = this.limits;
    const own = this.#held.get(did)?.size ?? 0;
    if (own >= eventSubscribersPerCaller) this.#endOldest(did);
    else if (this.#total >= limit) {
      const [most, count] = this.#largest();
      if (count <= own + 1) throw new BlockworkError('TOO_MANY_SUBSCRIBERS', { facts: { limit } });
      this.#endOldest(most);
    }
    const end = new AbortController();
    const controllers = this.#held.get(did);
    if (controllers === undefined) this.#held.set(did, new Set([end]));
    else controllers.add(end);
    this.#total += 1;
    return end;
  }

  leave(did: string, end: AbortController): void {
    const controllers = this.#held.get(did);
    if (controllers?.delete(end) !== true) return;
    this.#total -= 1;
    if (controllers.size === 0) this.#held.delete(did);
  }

  /** Ends every subscription. */
  endAll(): void {
    for (const controllers of this.#held.values()) for (const end of controllers) end.abort();
  }

  #endOldest(did: string): void {
    for (const end of this.#held.get(did) ?? []) {
      this.leave(did, end);
      end.abort();
      return;
    }
  }

  #largest(): readonly [did: string, count: number] {
    let largest: readonly [string, number] = ['', 0];
    for (const [did, { size }] of this.#held) if (size > largest[1]) largest = [did, size];
    return largest;
  }
}
