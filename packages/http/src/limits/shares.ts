/** Whose share a limit is: anyone may use what is free, except for a last quarter, which is kept for those who hold less. */

/**
 * Whether a holder would take what is kept for others: `total` and `own` are what is held with what they ask for. The last
 * quarter of a limit is for those who hold at most half of it.
 */
const takesShareOfOthers = (total: number, own: number, limit: number): boolean =>
  total > limit - Math.floor(limit / 4) && own > limit / 2;

/** Amounts by holder; nothing is remembered of those who hold nothing. */
export class Holdings {
  readonly #held = new Map<unknown, number>();
  #total = 0;

  /**
   * Adds the amount if the limit allows it, in total and as the holder's share; returns whether it did. What grows by the
   * amount and is all that the holder has, `growing` so far, may take the whole limit.
   */
  take(holder: unknown, amount: number, limit: number, growing = 0): boolean {
    const before = this.#held.get(holder) ?? 0;
    const [own, total] = [before + amount, this.#total + amount];
    if (total > limit || (before > growing && takesShareOfOthers(total, own, limit))) return false;
    this.#held.set(holder, own);
    this.#total = total;
    return true;
  }

  giveBack(holder: unknown, amount: number): void {
    const own = (this.#held.get(holder) ?? 0) - amount;
    this.#total -= amount;
    if (own > 0) this.#held.set(holder, own);
    else this.#held.delete(holder);
  }

  get isEmpty(): boolean {
    return this.#held.size === 0;
  }
}
