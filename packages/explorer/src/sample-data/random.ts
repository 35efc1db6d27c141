/** Pseudo-random choices from a seed: the same seed gives the same choices on every machine. */

export class Random {
  #state: number;

  /** `seed`: a whole number. */
  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A number from 0 up to, but not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of the items; `undefined` of none. */
  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.next() * items.length)];
  }

  /** One of the items, each as likely as its weight, which is positive; `undefined` of none. */
  weighted<Item>(items: readonly Item[], weightOf: (item: Item) => number): Item | undefined {
    const weights = items.map(weightOf);
    let left = this.next() * weights.reduce((sum, weight) => sum + weight, 0);
    const at = weights.findIndex((weight) => (left -= weight) < 0);
    return items[at === -1 ? items.length - 1 : at];
  }
}
